"""Put the engine's source on pages: single symbols, and a page for each module with comments beside the code."""
