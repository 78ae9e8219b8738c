"""The least that Flask can do, behind the same gunicorn: what our routes are measured against."""

import threading
from types import SimpleNamespace

from flask import Flask

app = Flask(__name__, static_folder=None)
app.extensions["hub"] = SimpleNamespace(stop=threading.Event().set)  # gunicorn's configuration stops it at the end


@app.get("/")
def bare() -> str:
    return "ok"
