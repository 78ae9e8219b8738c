"""`red-november worker`: checks its settings, and then goes to work.

They are looked at before the rules are loaded, which a machine that has not compiled them yet takes half a minute for.
"""

import argparse
import os
import sys

from redis.exceptions import RedisError

from service import logs
from service.config import BadConfig
from service.locate import UNREADABLE_ADDRESS, add_redis_url, config_of
from service.queue.queueing import QUEUES
from service.store.own import own_store


def add_worker(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--queues",
        default=",".join(QUEUES),
        help=f"turns and advice share the worker, matches have what is left ({','.join(QUEUES)})",
    )
    parser.add_argument("--burst", action="store_true", help="stop when the queues are empty")
    add_redis_url(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    names = options.queues.split(",")
    unknown = set(names) - set(QUEUES)
    if unknown:
        print(f"red-november: there is no queue {unknown.pop()!r}, only {', '.join(QUEUES)}", file=sys.stderr)
        return 2
    try:
        config = config_of(options)
        os.environ["REDIS_URL"] = config.redis_url  # for the jobs
        logs.configure(config.log_format)
        store = own_store()
        store.require()
    except ValueError:
        print(f"red-november: {UNREADABLE_ADDRESS}", file=sys.stderr)
        return 2
    except BadConfig as error:
        print(f"red-november: {error}", file=sys.stderr)
        return 2
    except RedisError as error:
        print(f"red-november: {error}", file=sys.stderr)
        return 1
    from service.workers.at_work import keep_at_work  # noqa: PLC0415 - see above

    return keep_at_work(config, store, names, options.burst)
