"""Whatever a function does, the check ends and the notebook is as it was before.

Each test runs twice: in a copy of the process, as on Linux, and within it, as on other systems.
"""

import os
import queue
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import nullcontext
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from checking import in_an_empty_folder  # noqa: F401 (a fixture)
from torch.nn import functional as F

from helpers.checks import apart, time_limit
from helpers.checks.verdict import RIGHT, UNTRIED, WRONG
from helpers.exercises import check


@pytest.fixture(
    autouse=True,
    params=[
        pytest.param(True, id="apart", marks=pytest.mark.skipif(sys.platform != "linux", reason="no copies here")),
        pytest.param(False, id="within"),
    ],
)
def is_apart(request, monkeypatch):
    monkeypatch.setattr(apart, "GRACE", 20.0)  # a busy machine shall not have the copy killed before it stops itself
    if not request.param:
        monkeypatch.setattr(apart, "_can_fork", lambda: False)
    return request.param


def endless(scores):
    while True:
        pass


def stubborn(scores):
    while True:
        try:  # noqa: SIM105
            time.sleep(0.001)
        except:  # noqa: E722 (a learner may write this)
            pass


def stubborn_sleeper(scores):
    while True:
        try:  # noqa: SIM105
            time.sleep(60)
        except:  # noqa: E722
            pass


def noisy_endless(scores):
    while True:
        print("still here")


def sleepy(scores):
    time.sleep(60)
    return torch.softmax(scores, -1)


def waiting(scores):
    threading.Event().wait(60)
    return torch.softmax(scores, -1)


def work(seconds):
    """Keep a processor busy; unlike the time on the wall, this is the same on a machine that has much else to do."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def softmax_that_first_takes(seconds, pass_time):
    """A right function whose first call is slow."""
    calls = []

    def function(scores):
        calls.append(scores)
        if len(calls) == 1:
            pass_time(seconds)
        return torch.softmax(scores, -1)

    return function


KNOWS_QUEUE = pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="the system does not tell how long a thread queued"
)
NEEDS_SIGNALS = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="no signals to interrupt a wait on this system"
)


@NEEDS_SIGNALS
@pytest.mark.parametrize(
    ("function", "mistake"),
    [
        (endless, "endless"),
        (noisy_endless, "endless"),
        (stubborn, "waiting"),
        (stubborn_sleeper, "endless or waiting"),  # ending it takes some work
        (sleepy, "waiting"),
        (waiting, "waiting"),
    ],
)
def test_function_without_end_is_stopped(function, mistake, monkeypatch):
    monkeypatch.setattr(time_limit, "SECONDS", 0.2)
    before = signal.getsignal(signal.SIGALRM)
    verdict = check("softmax", function)
    assert verdict.mistake in mistake.split(" or ")
    assert "stopped after" in verdict.message and "0.2 seconds" in verdict.message
    assert "in your code: line" in repr(verdict) and len(repr(verdict)) < 2000
    assert signal.getsignal(signal.SIGALRM) is before and signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@pytest.mark.parametrize(("function", "mistake"), [(endless, "endless"), (sleepy, "waiting")])
def test_function_without_end_is_stopped_in_another_thread(function, mistake, monkeypatch):
    monkeypatch.setattr(time_limit, "SECONDS", 0.2)
    found = []
    thread = threading.Thread(target=lambda: found.append(check("softmax", function)), daemon=True)
    thread.start()
    thread.join(20)
    assert found and found[0].mistake == mistake and "line" in dict(found[0].details)["in your code"]
    assert time.sleep.__module__ == "time"


@NEEDS_SIGNALS
def test_wait_within_c_is_stopped(monkeypatch):
    monkeypatch.setattr(time_limit, "SECONDS", 0.2)
    box = queue.SimpleQueue()
    rescue = threading.Timer(20, box.put, [None])
    rescue.start()
    verdict = check("causal_mask", box.get)  # the arguments are taken for "wait", and for how long
    assert verdict.mistake == "waiting" and rescue.is_alive()
    rescue.cancel()


@KNOWS_QUEUE
def test_sleeping_counts_as_much_as_working(monkeypatch):
    monkeypatch.setattr(time_limit, "SECONDS", 0.2)
    assert check("softmax", softmax_that_first_takes(0.8, time.sleep)).mistake == "waiting"
    assert check("softmax", softmax_that_first_takes(0.8, work)).mistake == "endless"


def test_both_are_stopped_where_the_system_does_not_tell_how_long_a_thread_queued(monkeypatch):
    monkeypatch.setattr(time_limit, "SECONDS", 0.2)
    monkeypatch.setattr(time_limit, "_seconds_in_queue", lambda thread: None)  # as on macOS and Windows
    assert check("softmax", softmax_that_first_takes(0.8, time.sleep)).mistake == "waiting"
    assert check("softmax", softmax_that_first_takes(0.8, work)).mistake in ("endless", "waiting")


@KNOWS_QUEUE
def test_short_sleep_is_right(monkeypatch):
    monkeypatch.setattr(time_limit, "SECONDS", 1.0)
    assert check("softmax", softmax_that_first_takes(0.1, time.sleep)).status == RIGHT


def test_limit_holds_for_all_calls_together(monkeypatch):
    monkeypatch.setattr(time_limit, "SECONDS", 0.4)

    def function(scores):
        time.sleep(0.1)
        return torch.softmax(scores, -1)

    assert check("softmax", function).mistake == "waiting"


def test_limit_that_messages_name_is_two_seconds():
    assert "stopped after more than 2 seconds" in check("softmax", softmax_that_first_takes(30, work)).message


@KNOWS_QUEUE
def test_time_that_a_busy_machine_spends_on_others_does_not_count(monkeypatch):
    monkeypatch.setattr(time_limit, "SECONDS", 0.8)
    function = softmax_that_first_takes(0.2, work)
    allowed = os.sched_getaffinity(0)
    others = []
    os.sched_setaffinity(0, {min(allowed)})  # this thread and seven others share one processor
    try:
        others = [subprocess.Popen([sys.executable, "-ISc", "while True: pass"]) for _ in range(7)]
        verdict = check("softmax", function)
    finally:
        os.sched_setaffinity(0, allowed)
        for other in others:
            other.kill()
            other.wait()
    assert verdict.status == RIGHT, verdict


def test_function_that_is_right_but_slow_is_told_so(monkeypatch):
    monkeypatch.setattr(time_limit, "SECONDS", 0.4)

    def function(scores):
        work(scores.numel() / 500)
        return torch.softmax(scores, -1)

    verdict = check("softmax", function)
    assert verdict.mistake == "too-slow" and "stopped after 0.4 seconds" in verdict.message
    assert "`scores` (40, 30)" in verdict.message


def test_function_that_is_slow_only_with_gradients_is_told_so(monkeypatch):
    monkeypatch.setattr(time_limit, "SECONDS", 0.3)

    def function(scores):
        if scores.requires_grad:
            work(60)
        return torch.softmax(scores, -1)

    verdict = check("softmax", function)
    assert verdict.status == RIGHT
    assert "with gradients your function takes longer than 0.3 seconds" in verdict.remarks[0]


def test_global_settings_and_seeds_stay_as_they_were(monkeypatch):
    monkeypatch.setattr(time_limit, "SECONDS", 60)  # a first figure takes seconds on a busy machine

    def function(scores):
        torch.manual_seed(1)
        np.random.seed(1)  # noqa: NPY002
        random.seed(1)
        torch.set_default_dtype(torch.float64)
        torch.set_grad_enabled(False)
        torch.use_deterministic_algorithms(True)
        sys.setrecursionlimit(5000)
        torch.set_num_threads(3)
        os.chdir("/")
        os.environ["LEFT"] = "1"
        os.environ.pop("PATH", None)
        plt.figure()
        torch.set_printoptions(precision=1)
        np.set_printoptions(precision=1)
        return torch.softmax(scores, -1)

    def state():
        seeds = torch.get_rng_state().tolist(), str(np.random.get_state()), random.getstate()  # noqa: NPY002
        modes = torch.get_default_dtype(), torch.is_grad_enabled(), torch.are_deterministic_algorithms_enabled()
        printing = torch._tensor_str.get_printoptions(), np.get_printoptions()
        outside = Path.cwd(), dict(os.environ), plt.get_fignums(), input
        return seeds, modes, printing, outside, sys.getrecursionlimit(), torch.get_num_threads()

    before = state()
    verdict = check("softmax", function)
    assert state() == before
    assert "cuts the gradient" in verdict.remarks[0] and "default dtype" in "".join(verdict.remarks)
    assert check("softmax", lambda scores: torch.softmax(scores, -1)).status == RIGHT


def test_check_does_not_depend_on_the_learners_settings():
    torch.set_default_dtype(torch.float64)
    try:
        with torch.no_grad():
            assert check("softmax", lambda scores: torch.softmax(scores, -1)).status == RIGHT
        with torch.inference_mode():
            assert check("embed", F.embedding).status == RIGHT
        assert torch.get_default_dtype() == torch.float64
    finally:
        torch.set_default_dtype(torch.float32)


def test_asking_for_input_does_not_wait():
    verdict = check("softmax", lambda scores: input())
    assert verdict.mistake == "error" and "RuntimeError: input() does not work" in dict(verdict.details)["Python says"]


@pytest.mark.parametrize("mode", [nullcontext, torch.no_grad, torch.inference_mode])
def test_what_a_function_does_to_variables_and_files_is_undone_in_a_copy(is_apart, tmp_path, mode):
    calls, kept = [], torch.ones(3)

    def function(scores):
        calls.append(1)
        kept.zero_()
        Path("left.txt").write_text("here")
        return torch.softmax(scores, -1)

    with mode():
        assert check("softmax", function).status == RIGHT
    assert (calls, kept.tolist()) == ([], [1, 1, 1]) if is_apart else calls and kept.tolist() == [0, 0, 0]
    assert (tmp_path / "left.txt").exists() is not is_apart


def _refuse(*_, **__):
    raise OSError("no memory for a second process")


def _refuse_in_a_copy(*_, **__):
    raise RuntimeError("Unable to handle autograd's threading in combination with fork-based multiprocessing")


@pytest.mark.parametrize(
    ("where", "name", "value"),
    [
        (sys, "platform", "darwin"),
        (sys, "platform", "win32"),
        (torch.cuda, "is_initialized", lambda: True),
        (os, "fork", _refuse),
        (torch.Tensor, "backward", _refuse_in_a_copy),
    ],
    ids=["macOS", "Windows", "GPU in use", "no memory", "GPU whose threads have run"],
)
def test_where_a_copy_is_not_safe_the_function_is_judged_in_the_kernel(monkeypatch, where, name, value):
    calls = []

    def function(scores):
        calls.append(1)
        return torch.softmax(scores, -1)

    monkeypatch.setattr(where, name, value)
    assert check("softmax", function).status == RIGHT and calls


def test_copy_that_had_no_chance_says_so_and_not_that_the_function_is_wrong(monkeypatch, is_apart):
    if not is_apart:
        pytest.skip("only a copy is given up")
    monkeypatch.setattr(apart, "GRACE", -1.7)
    monkeypatch.setattr(apart, "_seconds_in_queue", lambda process: 0.29)
    verdict = check("softmax", sleepy)
    assert (
        not verdict and verdict.status == UNTRIED and "keep this computer busy. Run the cell again" in verdict.message
    )


def test_coroutine_is_named_without_a_warning(recwarn):
    async def function(scores):
        return scores

    assert "async" in check("softmax", function).message and not recwarn.list


def test_a_search_for_the_mistake_that_takes_too_long_costs_its_name_alone(is_apart, monkeypatch):
    if not is_apart:
        pytest.skip("within the kernel the search ends by itself")
    monkeypatch.setattr(apart, "GRACE", 0.1)
    monkeypatch.setattr(time_limit, "SECONDS", 0.4)
    monkeypatch.setattr("helpers.checks.judge.find_mistake", lambda attempt: time.sleep(60))
    verdict = check("softmax", lambda scores: torch.softmax(scores, -1).sin())
    assert (verdict.status, verdict.mistake) == (WRONG, "unforeseen") and "below" in verdict.message
