"""Make minilm-reference.safetensors and minilm-tokens.json, in helpers/models/weights.

The one is what BertModel makes of a few texts, in float32; the other their ids by BertTokenizerLegacy, which is in
Python and reads the vocabulary alone.

python -m pip install transformers==5.23.0      which this course does not need otherwise
python tests/make_minilm_reference.py
"""

import json

import torch
from minilm_texts import BATCH, HARD, LONG, ROWS
from safetensors.torch import save_file
from transformers import AutoTokenizer, BertModel
from transformers.models.bert.tokenization_bert_legacy import BertTokenizerLegacy

from helpers.models import minilm

PATH = minilm.REFERENCE


def main() -> None:
    folder = minilm.find()["model.safetensors"].parent
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = BertModel.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()

    def states_and_weights(texts: list[str]) -> tuple[torch.Tensor, torch.Tensor, dict[str, torch.Tensor]]:
        read = tokenizer(texts, padding=True, truncation=False, return_tensors="pt")
        with torch.no_grad():
            made = model(**read, output_hidden_states=True, output_attentions=True)
        return torch.stack(made.hidden_states, 1), torch.stack(made.attentions, 1), read

    states, weights, read = states_and_weights(BATCH)
    alone_states, alone_weights, _ = states_and_weights(BATCH[1:])
    long_states, long_weights, _ = states_and_weights([LONG])
    save_file(
        {
            "ids": read["input_ids"],
            "real": read["attention_mask"].bool(),
            "states": states,
            "weights": weights,  # (2, 7, 8, 384), (2, 6, 12, 8, 8)
            "alone.states": alone_states,
            "alone.weights": alone_weights,
            "long.states": long_states[:, -1, ROWS].contiguous(),  # (1, 4, 384), after the last layer
            "long.weights": long_weights[:, :, :, 1, ROWS].contiguous(),  # (1, 6, 12, 4), of the second token
        },
        PATH,
    )
    legacy = BertTokenizerLegacy(folder / "vocab.txt")
    ids = {"texts": HARD, "ids": [legacy(text)["input_ids"] for text in HARD]}
    minilm.TOKENS.write_text(json.dumps(ids, indent=1) + "\n", encoding="utf-8")
    print(f"{PATH.name}: {PATH.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
