"""pgx: random steps of a batch with masks and new games, compiled by JAX for the processor."""

import json
import os
from statistics import median
from time import process_time

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental.wrappers import auto_reset

LANES, STEPS = 1024, 50


def rate(name: str) -> float:
    """Steps a second of processor time, sampling included, compiling not."""
    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def play(state, key):
        def one(state, key):
            move, dice = jax.random.split(key)
            action = jax.random.categorical(move, jnp.log(state.legal_action_mask.astype(jnp.float32)), axis=-1)
            return step(state, action, jax.random.split(dice, LANES)), None

        return jax.lax.scan(one, state, jax.random.split(key, STEPS))[0]

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), LANES))
    jax.block_until_ready(play(state, jax.random.PRNGKey(1)))
    rates = []
    for seed in range(3):
        began = process_time()
        jax.block_until_ready(play(state, jax.random.PRNGKey(seed)))
        rates.append(LANES * STEPS / (process_time() - began))
    return median(rates)


if __name__ == "__main__":
    print(json.dumps({name: rate(name) for name in ("backgammon",)}))
