"""The sailor, a bot of compiled rules of thumb."""
