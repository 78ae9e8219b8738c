"""The texts of the playing client in each language; those under `script` go to the browser."""
