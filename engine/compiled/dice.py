"""Make chance from keyed hashes: the n-th outcome of a purpose follows from the key alone.

Outcome n of purpose p is SipHash-2-4 of the eight bytes of `p << 32 | n` under the 128-bit key; its upper 32 bits are
scaled to the number of possibilities. Whoever knows the key can check every roll, nobody else can foresee one.
The key is the first half of the seed's SHA-256.
"""

import hashlib

import numpy as np

from engine.compiled.jit import jit
from engine.compiled.state import Cells, State, Word
from engine.enums import Purpose, Script

_V0 = np.uint64(0x736F6D6570736575)
_V1 = np.uint64(0x646F72616E646F6D)
_V2 = np.uint64(0x6C7967656E657261)
_V3 = np.uint64(0x7465646279746573)
_LENGTH = np.uint64(8 << 56)  # the final block of an eight-byte message
_END = np.uint64(0xFF)
_64 = np.uint64(64)
_13, _16, _17, _21, _32 = (np.uint64(13), np.uint64(16), np.uint64(17), np.uint64(21), np.uint64(32))


def key_of_seed(seed: bytes) -> tuple[int, int]:
    """Return the key of chance, as two words, that follows from a seed."""
    digest = hashlib.sha256(seed).digest()
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:16], "little")


@jit
def _rotated(word: Word, bits: Word) -> Word:
    return (word << bits) | (word >> (_64 - bits))


@jit
def _stirred(v0: Word, v1: Word, v2: Word, v3: Word, rounds: int) -> tuple[Word, Word, Word, Word]:
    for _ in range(rounds):
        v0 += v1
        v1 = _rotated(v1, _13) ^ v0
        v0 = _rotated(v0, _32)
        v2 += v3
        v3 = _rotated(v3, _16) ^ v2
        v0 += v3
        v3 = _rotated(v3, _21) ^ v0
        v2 += v1
        v1 = _rotated(v1, _17) ^ v2
        v2 = _rotated(v2, _32)
    return v0, v1, v2, v3


@jit
def siphash(key0: Word, key1: Word, word: Word) -> Word:
    """Return the SipHash-2-4 of one 64-bit word."""
    v0, v1, v2, v3 = key0 ^ _V0, key1 ^ _V1, key0 ^ _V2, key1 ^ _V3 ^ word
    v0, v1, v2, v3 = _stirred(v0, v1, v2, v3, 2)
    v0, v3 = v0 ^ word, v3 ^ _LENGTH
    v0, v1, v2, v3 = _stirred(v0, v1, v2, v3, 2)
    v0, v2 = v0 ^ _LENGTH, v2 ^ _END
    v0, v1, v2, v3 = _stirred(v0, v1, v2, v3, 4)
    return v0 ^ v1 ^ v2 ^ v3


@jit
def below(state: State, purpose: int, limit: int) -> int:
    """Return the purpose's next outcome: 0 to limit - 1, all equally likely (to one part in 50 million)."""
    count = np.int64(state.rolls[purpose])
    state.rolls[purpose] = count + 1
    word = siphash(state.key[0], state.key[1], np.uint64((purpose << 32) | count))
    return (np.int64(word >> _32) * limit) >> 32  # type: ignore[return-value]


@jit
def roll_die(state: State, purpose: int) -> int:
    """Roll the die with ten sides, whose 0 counts as 10 (§1). The dice of a script come first."""
    if state.script_left[Script.DICE] > 0:
        return next_scripted(state, state.script_dice, Script.DICE)
    return 1 + below(state, purpose, 10)


@jit
def next_scripted(state: State, script: Cells, kind: int) -> int:
    """Take the next outcome that the position forced. Caller guarantees that there is one."""
    last = np.int64(state.script_left[kind]) - 1
    outcome: int = np.int64(script[last])  # type: ignore[assignment]
    script[last] = 0
    state.script_left[kind] = last
    return outcome


@jit
def shuffle_seats(state: State) -> None:
    """The Time Keepers are stacked in random order (§2)."""
    for seat in range(state.gnomes):
        state.stack[seat] = seat
    for seat in range(state.gnomes - 1, 0, -1):
        other = below(state, Purpose.SEATING, seat + 1)
        state.stack[seat], state.stack[other] = state.stack[other], state.stack[seat]
