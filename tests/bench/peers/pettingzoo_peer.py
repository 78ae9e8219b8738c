"""PettingZoo's own hanabi: random steps, agent by agent."""

import json
import random
from time import thread_time

from pettingzoo.classic import hanabi_v5

STEPS = 2_000


def rate() -> float:
    """Steps a second of processor time."""
    env = hanabi_v5.raw_env()
    env.reset(seed=1)
    began = thread_time()
    for _ in range(STEPS):
        seen, _, ended, cut, _ = env.last()
        if ended or cut:
            env.reset()
            continue
        env.step(random.choice(seen["action_mask"].nonzero()[0]))
    return STEPS / (thread_time() - began)


if __name__ == "__main__":
    print(json.dumps(rate()))
