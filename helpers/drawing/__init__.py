"""Pictures: tables, maps, charts and diagrams, each with alt text made from what it shows."""
