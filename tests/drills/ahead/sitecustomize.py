"""On the path of a process whose own clock shall be wrong: by as many seconds as AHEAD_SECONDS says."""

import os
import time

_true, _ahead = time.time, float(os.environ.get("AHEAD_SECONDS", "0"))

time.time = lambda: _true() + _ahead
