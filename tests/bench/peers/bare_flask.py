"""The least that Flask can do: what our routes are measured against."""

from flask import Flask

app = Flask(__name__, static_folder=None)


@app.get("/")
def bare() -> str:
    return "ok"
