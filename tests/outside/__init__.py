"""Tests of outside bots: accounts, decisions, answers."""
