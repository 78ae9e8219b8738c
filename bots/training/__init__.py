"""Programs that find the sailor's weights, fit the network, and measure how strong the bots are."""
