"""What waits for a worker, who is served next, and what is refused when workers are behind."""
