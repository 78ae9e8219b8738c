"""Redis: the client, what is stored and under which keys. No other room names a key."""
