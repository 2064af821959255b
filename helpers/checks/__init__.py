"""The engine behind exercises: tries a function, finds the mistake, and says so."""
