"""What SmolLM2 is compared with its reference on: texts that are hard to cut into tokens."""

TEXTS = {
    "plain": "The capital of France is",
    "digits": "In 1969, 3.14159 and 1,000,000 were 12345678 numbers; x2 and 2x.",
    "code": "def f(x):\n    if x > 0:\n\treturn x**2  # squared\n\n\n    return None\n",
    "chinese": "注意力机制就是一切。你好，世界！",  # noqa: RUF001
    "emoji": "I ❤️ attention 🤖👩‍🔬🇫🇷 and naïve café ﬁ Ω",
    "spaces": "  two before,   three within, two after  \n \n\t\t tabs\u00a0and a hard space  ",
    "quotes": "It's, they'LL, we've, don’t — “so” 'tis",  # noqa: RUF001
    "chat": "<|im_start|>user\nWho is there?<|im_end|>\n<|im_start|>assistant\n",
    "none of it": "<|im_startt|> <im_end> |im_end|> <|endoftext|>",
}
LONG = "Attention is a weighted average. " * 60  # a text of hundreds of tokens, of which a few rows are kept
ROWS = [0, 100, 200, -1]
SCORED = ["plain", "code", "chinese", "chat"]
COLUMNS = range(0, 49_152, 48)  # of the vocabulary, whose scores are kept
