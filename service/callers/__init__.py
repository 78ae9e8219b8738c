"""Tell who asks, by tokens, addresses and API keys, and how much each caller may ask for."""
