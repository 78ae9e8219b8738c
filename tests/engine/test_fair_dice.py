"""Anybody can check the dice with the seed alone, from what the README says of them."""

import hashlib
import struct

from engine import Game, Rules
from engine.enums import Purpose

WORD = (1 << 64) - 1


def rotated(word: int, bits: int) -> int:
    return ((word << bits) | (word >> (64 - bits))) & WORD


def siphash(key: bytes, message: bytes) -> int:
    """SipHash-2-4 as its authors describe it."""
    k0, k1 = struct.unpack("<2Q", key)
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def stir(rounds: int) -> None:
        for _ in range(rounds):
            v[0] = (v[0] + v[1]) & WORD
            v[1] = rotated(v[1], 13) ^ v[0]
            v[0] = rotated(v[0], 32)
            v[2] = (v[2] + v[3]) & WORD
            v[3] = rotated(v[3], 16) ^ v[2]
            v[0] = (v[0] + v[3]) & WORD
            v[3] = rotated(v[3], 21) ^ v[0]
            v[2] = (v[2] + v[1]) & WORD
            v[1] = rotated(v[1], 17) ^ v[2]
            v[2] = rotated(v[2], 32)

    padded = message + bytes(7 - len(message) % 8) + bytes([len(message) % 256])
    for (block,) in struct.iter_unpack("<Q", padded):
        v[3] ^= block
        stir(2)
        v[0] ^= block
    v[2] ^= 0xFF
    stir(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def outcome(seed: bytes, purpose: Purpose, number: int, possibilities: int) -> int:
    key = hashlib.sha256(seed).digest()[:16]
    word = siphash(key, struct.pack("<Q", (purpose << 32) + number))
    return ((word >> 32) * possibilities) >> 32


def test_the_hash_is_siphash() -> None:
    """The vector of the authors' paper."""
    assert siphash(bytes(range(16)), bytes(range(15))) == 0xA129CA6149BE45E5


def test_start_rooms_follow_from_the_seed() -> None:
    for number in range(20):
        seed = hashlib.sha256(bytes([number])).digest()
        gnomes = Game.new(Rules(gnomes=8), seed).view()["gnomes"]
        assert [gnome["room"] for gnome in gnomes] == [1 + outcome(seed, Purpose.START_ROOM, n, 10) for n in range(8)]


def test_every_fix_it_die_of_a_game_follows_from_the_seed() -> None:
    seed, rolled = bytes(range(32)), []
    game = Game.new(Rules(gnomes=3), seed)
    while game.result is None:
        dice = [move for move in game.legal_moves() if "chance" in move]
        for event in game.play(dice[0] if dice else game.legal_moves()[-1]):
            if event["type"] == "die_rolled" and event["purpose"] != "event_room":
                rolled.append(event["value"])
    assert len(rolled) > 5
    assert rolled == [1 + outcome(seed, Purpose.FIX_IT, number, 10) for number in range(len(rolled))]
