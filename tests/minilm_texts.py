"""The texts of helpers/models/weights/minilm-reference.safetensors."""

BATCH = ["The dog bit the man.", "It was tired."]  # the second one is padded
LONG = " ".join(["One two three four five six seven."] * 20)  # more than the 128 tokens of training
ROWS = [0, 1, 80, 161]  # of the long text, whose tables are too large to keep
