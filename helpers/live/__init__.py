"""What answers the hand: sliders, cells to click, and the explorer of attention maps."""
