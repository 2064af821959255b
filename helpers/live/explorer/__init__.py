"""The explorer: an attention map that answers the hand, without network and without kernel."""

from helpers.live.explorer.explorer import Explorer, explore
from helpers.live.explorer.packing import MOST_WEIGHTS
from helpers.live.explorer.typed import LiveExplorer, explore_text

__all__ = ["MOST_WEIGHTS", "Explorer", "LiveExplorer", "explore", "explore_text"]
