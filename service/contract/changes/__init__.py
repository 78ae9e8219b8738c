"""Tell what differs between two contracts, and which differences break clients."""
