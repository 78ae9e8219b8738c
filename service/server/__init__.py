"""The web process around the application: gunicorn's worker, connections, reading requests."""
