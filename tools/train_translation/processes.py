"""Processes that train together, as torchrun starts them, or a single one."""

import contextlib
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, distributed

from helpers.wording import first_line


class ProcessLost(Exception):
    """Another of the processes that train together cannot be reached."""


@dataclass(frozen=True)
class Processes:
    """The processes that train together, as one of them sees them.

    Attributes
    ----------
    rank : int
        This one's number.
    world : int
        How many there are.
    device : torch.device
        What this one calculates on.
    """

    rank: int
    world: int
    device: torch.device

    def gather(self, *numbers: float) -> list[Tensor]:
        """Get the numbers of each process: `world` tensors, (len(numbers),), float64. Waits for all of them."""
        own = torch.tensor(numbers, dtype=torch.float64, device=self.device)
        if self.world == 1:
            return [own]
        of_all = [torch.empty_like(own) for _ in range(self.world)]
        with self.communicating():
            distributed.all_gather(of_all, own)
        return of_all

    def total(self, *numbers: float) -> list[float]:
        """Add up each number over all processes. Waits for all of them."""
        return torch.stack(self.gather(*numbers)).sum(dim=0).tolist()

    @contextlib.contextmanager
    def communicating(self) -> Iterator[None]:
        """Tell errors of the exchange with other processes from those of our own.

        Gloo raises nothing more precise than RuntimeError, so what counts is where it is raised.

        Raises
        ------
        ProcessLost
            Something broke off in here, and there are other processes.
        """
        try:
            yield
        except torch.OutOfMemoryError:
            raise
        except RuntimeError as error:
            if self.world == 1:
                raise
            raise ProcessLost(first_line(error)) from error

    def say(self, line: str = "") -> None:
        """Print a line, in one of the processes."""
        if self.rank == 0:
            print(line, flush=True)


@contextlib.contextmanager
def started_processes() -> Iterator[Processes]:
    """Join the processes that torchrun has started, or be the only one.

    Yields
    ------
    Processes
        Until they part.
    """
    cuda = torch.cuda.is_available()
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0))) if cuda else torch.device("cpu")
    if "WORLD_SIZE" not in os.environ:
        yield Processes(0, 1, device)
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # with it torchrun stops those that are left
    if cuda:
        torch.cuda.set_device(device)
    distributed.init_process_group("nccl" if cuda else "gloo")
    try:
        yield Processes(distributed.get_rank(), distributed.get_world_size(), device)
    finally:
        distributed.destroy_process_group()
