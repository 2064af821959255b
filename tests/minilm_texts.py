"""The texts of minilm-reference.safetensors and of minilm-tokens.json, both in helpers/models/weights."""

BATCH = ["The dog bit the man.", "It was tired."]  # the second one is padded
LONG = " ".join(["One two three four five six seven."] * 20)  # more than the 128 tokens of training
ROWS = [0, 1, 80, 161]  # of the long text, whose tables are too large to keep
# What a tokenizer can get wrong: accents, capitals, signs that stand alone, other scripts, unknown characters,
# odd spaces, words that are cut, a word that is too long to be cut.
HARD = [
    "The animal didn't cross the street because it was too tired.",
    "A quokka naps.",
    "Caf\u00e9 na\u00efve, \u00c5ngstr\u00f6m and RESUM\u00c9",
    "\u5317\u4eac is Beijing; \u041c\u043e\u0441\u043a\u0432\u0430 is Moscow",
    "\U0001f600 smile",
    "3.14159, 1,000,000 and -5%",
    "tabs\tand\nlines\u00a0and  spaces ",
    "state-of-the-art e-mail@example.com (2026)!?",
    "antidisestablishmentarianism",
    "a" * 101,
    "[CLS] written by hand [SEP] [MASK]",
    "\u201cquotes\u201d \u2014 and a dash\u2026",
]
