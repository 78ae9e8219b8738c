"""The AI gnomes."""
