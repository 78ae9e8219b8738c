"""The AI gnomes: bots that take seats, give advice and play matches."""
