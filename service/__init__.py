"""The service: games over HTTP, kept in Redis. It stands on the bots and the engine, and holds no rule itself."""
