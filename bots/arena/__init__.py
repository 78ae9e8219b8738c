"""Games and matches between bots on this machine."""
