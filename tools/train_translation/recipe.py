"""What decides the result of a training."""

from dataclasses import dataclass


class ConfigError(Exception):
    """What stops the training, in one sentence with what to do."""


@dataclass(frozen=True)
class Recipe:
    """What decides the result: a checkpoint continues only its own.

    Attributes
    ----------
    vocab_size : int
        Of source and target together.
    d_model, n_heads, n_layers, d_hidden : int
        Sizes of the Transformer.
    dropout, smoothing : float
        Shares, from 0 to less than 1.
    max_tokens : int
        Of a batch: source, target and padding.
    epochs : int
        To train.
    warm_up : int
        Steps until the learning rate is at its highest.
    lr : float
        The highest learning rate.
    clip : float
        Longest gradient.
    seed : int
        Of parameters, order and dropout.
    max_pairs : int
        For training; 0 is all.

    Raises
    ------
    ConfigError
        A number is out of its range: says which.
    """

    vocab_size: int = 8000
    d_model: int = 256
    n_heads: int = 4
    n_layers: int = 3
    d_hidden: int = 512
    dropout: float = 0.15
    smoothing: float = 0.1
    max_tokens: int = 4096
    epochs: int = 10
    warm_up: int = 400
    lr: float = 1.5e-3
    clip: float = 1.0
    seed: int = 0
    max_pairs: int = 0

    def __post_init__(self) -> None:
        for name in ("vocab_size", "d_model", "n_heads", "n_layers", "d_hidden", "max_tokens", "epochs", "warm_up"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 1, but is {getattr(self, name)}.")
        for name in ("dropout", "smoothing"):
            if not 0 <= getattr(self, name) < 1:
                raise ConfigError(f"{name} must be from 0 to less than 1, but is {getattr(self, name)}.")
        for name in ("lr", "clip"):
            if not 0 < getattr(self, name) < float("inf"):
                raise ConfigError(f"{name} must be above 0, but is {getattr(self, name)}.")
        if self.max_pairs < 0:
            raise ConfigError(f"max_pairs must be 0, for all, or the number of them, but is {self.max_pairs}.")
        if self.d_model % (2 * self.n_heads):
            raise ConfigError(
                f"d_model must be even and a multiple of n_heads, but is {self.d_model} with {self.n_heads} heads."
            )

    def lr_factor(self, step: int, n_steps: int) -> float:
        """Give the share of the learning rate that a step has.

        It goes up in a straight line to 1 during the warm-up, then down in another to 0 after the last step.

        Parameters
        ----------
        step : int
            From 0.
        n_steps : int
            Of the whole training. One that is short warms up in a quarter of it.

        Returns
        -------
        float
            From 0 to 1.
        """
        warm_up = min(self.warm_up, n_steps // 4 + 1)
        return min((step + 1) / warm_up, (n_steps - step) / (n_steps - warm_up + 1))
