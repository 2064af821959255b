"""What the lessons build, trained or opened: for later lessons to import."""
