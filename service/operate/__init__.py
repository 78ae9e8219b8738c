"""What an operator runs: the whole service on one machine, the check-up, backups, metrics."""
