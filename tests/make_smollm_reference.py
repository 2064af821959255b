"""Make smollm-reference.safetensors, in helpers/models/weights: what two other programs make of a few texts.

The scores and the weights of heads are those of transformers' LlamaForCausalLM, in float32, which reads the file in its
own way. The ids are those of llama.cpp: transformers takes GPT-2's way of cutting words for a file of this kind, which
does not keep digits apart. What they need, this course does not need otherwise::

    python -m pip install transformers==5.23.0 accelerate
    cp tests/smollm_ids.mjs FOLDER && (cd FOLDER && npm install --ignore-scripts node-llama-cpp@3.22.1)
    python tests/make_smollm_reference.py FOLDER
"""

import json
import subprocess
import sys

import torch
from safetensors.torch import save_file
from smollm_texts import COLUMNS, LONG, ROWS, SCORED, TEXTS
from torch import Tensor
from transformers import LlamaForCausalLM

from helpers.models import smollm

PATH = smollm.REFERENCE


def main() -> None:
    file = smollm.find()
    done = subprocess.run(
        ["node", "smollm_ids.mjs", str(file)],
        cwd=sys.argv[1],
        input=json.dumps({**TEXTS, "long": LONG}),
        capture_output=True,
        text=True,
        check=True,
    )
    ids = {name: torch.tensor(of_text) for name, of_text in json.loads(done.stdout).items()}
    model = LlamaForCausalLM.from_pretrained(
        file.parent, gguf_file=file.name, attn_implementation="eager", dtype=torch.float32
    ).eval()

    def scores_and_weights(name: str) -> tuple[Tensor, Tensor]:
        with torch.no_grad():
            made = model(ids[name][None], output_attentions=True)
        return made.logits[0], torch.cat(made.attentions)  # (n, vocab_size), (30, 9, n, n)

    tensors = {f"{name}.ids": of_text for name, of_text in ids.items()}
    for name in SCORED:
        scores, weights = scores_and_weights(name)
        tensors[f"{name}.scores"] = scores[:, COLUMNS].contiguous()
        tensors[f"{name}.best"] = scores.argmax(dim=-1)
        if name == "plain":
            tensors["plain.weights"] = weights
    scores, weights = scores_and_weights("long")
    tensors["long.scores"] = scores[ROWS][:, COLUMNS].contiguous()
    tensors["long.weights"] = weights[:, :, -1, ROWS].contiguous()  # of the last token, for a few keys
    save_file(tensors, PATH)
    print(f"{PATH.name}: {PATH.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
