"""What outside bots and their owners ask of the service: accounts, decisions, answers."""
