"""gunicorn for a site: `gunicorn --config deploy/gunicorn.conf.py`.

The service knows what it needs, and the environment says what differs from site to site: BIND (an address, or a
socket as `unix:/run/…`), OPS_BIND (likewise, for operators) and WEB_WORKERS (as many as cores that the API may use;
one holds thousands of streams).
Whatever else a site wants, it assigns below the import, as in `worker_tmp_dir = "/dev/shm"` where /tmp is a slow disk.
"""

from service.server.gunicorn_conf import *  # noqa: F403
