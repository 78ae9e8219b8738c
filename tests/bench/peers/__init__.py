"""One module a peer, each run as a process of its own that prints what it measured as JSON."""
