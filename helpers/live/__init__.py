"""What answers the hand: sliders, cells to click, the explorer of attention maps, and the live calculation."""
