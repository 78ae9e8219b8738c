"""Accounts of outside bots: who they are, whether they are connected, what they did."""
