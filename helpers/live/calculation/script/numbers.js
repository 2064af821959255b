// Numbers as they are written in a cell and in a sum, and as they are read from what was typed.
// Gets numbers and text; knows nothing of attention.

const LARGEST = 1e9;  // with 8 tokens and width 8 no table can leave the range of float64

// At most six characters, so that no column grows while a number is dragged. "0" is zero, "0.00" is only near it.
function shown(number) {
  if (Number.isNaN(number)) return "nan";
  const size = Math.abs(number);
  if (size === Infinity) return number > 0 ? "∞" : "−∞";
  if (size >= 99999.5) return signed(number.toExponential(size < 1e10 ? 1 : 0).replace("e+", "e"));
  if (Number.isInteger(number)) return signed(String(number));
  const digits = size < (number < 0 ? 9.995 : 99.995) ? 2 : size < 999.95 ? 1 : 0;
  return signed(number.toFixed(digits)).replace(/^−(0\.00)$/, "$1");
}

// In a sum, where there is room for what is near zero.
function spelled(number) {
  const near = number !== 0 && Math.abs(number) < 0.005;
  return near ? signed(String(Number(number.toPrecision(1)))) : shown(number);
}

function signed(text) {
  return text.replaceAll("-", "−").replace(/^−0$/, "0");
}

function isExact(number) {
  return Number(shown(number).replaceAll("−", "-")) === number || !Number.isFinite(number);
}

// A factor within a sum: what is negative stands in brackets.
function factor(number) {
  return number < 0 ? `(${spelled(number)})` : spelled(number);
}

// "=", or "≈" where a number was rounded to be written.
function equals(...numbers) {
  return numbers.every(isExact) ? "=" : "≈";
}

// {number} or {refusal}, a sentence that says what was expected. Some keyboards have a comma in place of the point.
function parsed(text) {
  const plain = text.trim().replaceAll("−", "-").replace(/^([+-]?\d+),(\d+)$/, "$1.$2");
  if (!plain) return { refusal: "Nothing was typed: a number belongs here, such as 2 or −0.5." };
  const quoted = `“${text.trim().slice(0, 20)}”`;
  if (/^[+-]?[1-9]\d*,\d{3}$/.test(text.trim())) return { refusal: `${quoted} can be read in two ways: write ${plain} or ${plain.replace(".", "")}.` };
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) {
    return { refusal: `${quoted} is not a number: type one such as 2 or −0.5.` };
  }
  const number = Number(plain);
  if (Math.abs(number) > LARGEST) return { refusal: `${quoted} is too large: up to 1,000,000,000 fits here.` };
  return { number: number === 0 ? 0 : number };
}
