"""The live calculation: attention on one sheet, each number of which can be changed, with the others following."""

from helpers.live.calculation.sheet import Calculation, calculation
from helpers.live.calculation.state import CONTROLS, MOST, STAGES

__all__ = ["CONTROLS", "MOST", "STAGES", "Calculation", "calculation"]
