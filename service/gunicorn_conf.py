"""gunicorn: gevent workers on sockets of their own, forked from a process in which the rules are loaded."""

from gevent import monkey

monkey.patch_all()

import os  # noqa: E402 - after the patch

from redis import Redis  # noqa: E402, F401 - imported once, before the fork

bind = os.environ.get("BIND", "127.0.0.1:8000")
workers = int(os.environ.get("WEB_WORKERS", "2"))
worker_class = "gevent"
worker_connections = 4000
reuse_port = True  # the kernel spreads connections evenly; without it one worker takes most
preload_app = True
backlog = 1024
keepalive = 75
timeout = 30
graceful_timeout = 20
control_socket_disable = True
wsgi_app = "service.app:create_app()"
