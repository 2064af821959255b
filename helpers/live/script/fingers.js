// Whether a finger points, which needs more room than a mouse, hovers over nothing and taps where a mouse clicks.
// Gets nothing; asks the browser.

function isForFinger() {
  return window.matchMedia("(hover: none), (pointer: coarse)").matches;
}
