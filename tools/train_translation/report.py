"""What a training prints, and what it stores beside the checkpoint."""

import argparse
import time
from pathlib import Path

import torch

from helpers.drawing.maps import attention_map
from helpers.wording import counted
from tools.train_translation.checkpoint import write_or_refuse
from tools.train_translation.trainer import Trainer
from tools.train_translation.translate import bleu, cross_attention, translate

N_SAMPLES = 4  # translations that are printed


def introduce(trainer: Trainer, checkpoint: Path, options: argparse.Namespace) -> None:
    """Print what will be trained, on what, and where it goes on."""
    n_parameters = sum(parameter.numel() for parameter in trainer.model.parameters())
    processes, done = trainer.processes, len(trainer.history)
    processes.say(
        f"{len(trainer.train):,} pairs, a vocabulary of {trainer.tokenizer.get_vocab_size():,}, "
        f"{n_parameters:,} parameters, {trainer.steps_an_epoch:,} steps an epoch\n"
        f"{counted(processes.world, 'process', 'processes')} on {processes.device.type}, each with "
        f"{counted(torch.get_num_threads(), 'thread')}, "
        f"{str(options.precision).removeprefix('torch.')}{', compiled' * options.compile}"
    )
    if done:
        processes.say(f"goes on from {checkpoint}, after epoch {done}")


def report_on_epoch(trainer: Trainer) -> None:
    """Print how the last epoch went."""
    last = trainer.history[-1]
    trainer.processes.say(
        f"epoch {len(trainer.history)} of {trainer.recipe.epochs}: loss {last['loss']:.4f}, validation "
        f"{last['validation']:.4f}, BLEU about {last['bleu']:.1f}; {last['tokens'] / last['seconds']:,.0f} "
        f"tokens/s, {last['seconds']:.0f} s, of work {last['work']:.0f} s"
    )


def report_on_test(trainer: Trainer, options: argparse.Namespace) -> None:
    """Translate the test set, print BLEU and some translations, and store all of them and a map of one.

    Raises
    ------
    ConfigError
        They cannot be stored.
    """
    sources, references = map(list, zip(*trainer.pairs["test"], strict=True))
    start = time.perf_counter()
    translations = translate(trainer.model, trainer.tokenizer, sources, options.beam, options.alpha)
    score, signature = bleu(translations, references)
    exact = sum(ours == wanted.lower() for ours, wanted in zip(translations, references, strict=True))
    for source, reference, ours in list(zip(sources, references, translations, strict=True))[:N_SAMPLES]:
        print(f"\n  {source}\n  wanted   {reference}\n  written  {ours}")
    seconds, work, tokens = (sum(done[key] for done in trainer.history) for key in ("seconds", "work", "tokens"))
    print(
        f"\nBLEU {score:.2f} on {len(sources):,} test pairs, {exact} of them word for word, "
        f"beam of {options.beam}, {time.perf_counter() - start:.0f} s\n{signature}\n"
        f"trained for {seconds:.0f} s, of which processors worked {work:.0f} s: {tokens / seconds:,.0f} tokens/s"
    )
    picture = attention_map(
        *cross_attention(trainer.model, trainer.tokenizer, sources[0], translations[0]),
        title="Where the translation looks",
    )
    page = f'<!doctype html><meta charset="utf-8"><title>Attention</title>\n{picture._repr_html_()}\n'
    for name, text in (("translations.txt", "\n".join([*translations, ""])), ("attention.html", page)):
        write_or_refuse(options.out / name, text.encode())
    print(f"written to {options.out}: translations.txt, attention.html\n{picture.alt}")
