"""Our speed beside that of a peer or a baseline, measured in the same run."""
