"""The lasting colours: apart for every eye and in grey, readable as text in both themes, the same in what is live."""

import re
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb

from helpers.drawing.colours import (
    COLOURS_OF_SIGNED_NUMBERS,
    COLOURS_OF_WEIGHTS,
    HIDDEN,
    KEY,
    NEUTRAL,
    NEUTRAL_TINTS,
    OUTPUT,
    QUERY,
    SHARE,
    VALUE,
    WEIGHT,
    ink_on,
    named_role,
    relative_brightness,
)
from helpers.drawing.picture import PAPER
from tools.execute import ROOT

ROLES = {"query": QUERY, "key": KEY, "value": VALUE, "output": OUTPUT}
# What is seen with one kind of cone missing, of linear RGB: Machado, Oliveira and Fernandes, "A Physiologically-based
# Model for Simulation of Color Vision Deficiency" (2009), table 1, severity 1.
EYES = {
    "all cones": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = TO_XYZ.sum(axis=1)


def lab(colour: str, eye: str = "all cones") -> np.ndarray:
    """CIE L*, a* and b* of a colour as an eye sees it."""
    rgb = np.array(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    x, y, z = np.cbrt(TO_XYZ @ (np.array(EYES[eye]) @ linear).clip(0, 1) / WHITE)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def in_the_dark(colour: str) -> str:
    """The colour as the filter of the dark theme shows it: invert(1) hue-rotate(180deg), of which the rows sum to 1."""
    turn = 2 * np.array([0.213, 0.715, 0.072]) - np.eye(3)
    return to_hex((turn @ (1 - np.array(to_rgb(colour)))).clip(0, 1))


def contrast(one: str, other: str) -> float:
    dark, light = sorted(relative_brightness(colour) + 0.05 for colour in (one, other))
    return light / dark


@pytest.mark.parametrize("eye", EYES)
def test_lines_are_told_apart_by_every_eye(eye: str) -> None:
    lines = {**{name: role.line for name, role in ROLES.items()}, "weight": WEIGHT}
    distances = {
        pair: np.linalg.norm(lab(lines[pair[0]], eye) - lab(lines[pair[1]], eye)) for pair in combinations(lines, 2)
    }
    assert min(distances.values()) >= 14, min(distances, key=distances.get)


def test_lines_are_told_apart_in_grey() -> None:
    brightness = sorted(lab(role.line)[0] for role in ROLES.values())
    assert np.diff(brightness).min() >= 7


@pytest.mark.parametrize("eye", EYES)
def test_neutral_lines_are_told_apart_and_from_the_roles_by_every_eye(eye: str) -> None:
    for one in NEUTRAL:
        assert min(np.linalg.norm(lab(one, eye) - lab(other, eye)) for other in NEUTRAL if other != one) >= 14
        for other in [*(role.line for role in ROLES.values()), WEIGHT]:
            assert np.linalg.norm(lab(one, eye) - lab(other, eye)) >= 12, (one, other)


def test_neutral_lines_are_told_apart_in_grey() -> None:
    assert np.diff(sorted(lab(colour)[0] for colour in NEUTRAL)).min() >= 7


@pytest.mark.parametrize("colour", [*NEUTRAL, *(role.line for role in ROLES.values()), WEIGHT])
def test_a_line_stands_out_in_both_themes(colour: str) -> None:
    assert contrast(colour, PAPER) >= 3
    papers = ("#111111", "#131416", "#15181c")  # JupyterLab's, the website's, that of what is live
    assert all(contrast(in_the_dark(colour), paper) >= 3 for paper in papers)


@pytest.mark.parametrize("theme", [str, in_the_dark])
def test_neutral_tints_are_told_apart_and_carry_numbers(theme: Callable[[str], str]) -> None:
    for one, other in combinations(NEUTRAL_TINTS, 2):
        assert np.linalg.norm(lab(theme(one)) - lab(theme(other))) >= 8, (one, other)
    assert all(contrast(theme(tint), theme("black")) >= 7 for tint in NEUTRAL_TINTS)


def test_a_name_speaks_of_a_role() -> None:
    assert [named_role(name) for name in ("queries", "w_key", "keys.T", "output 0")] == [QUERY, KEY, KEY, OUTPUT]
    assert named_role("weight of the key") is named_role("scaled scores") is SHARE
    assert named_role("x") is named_role(None) is None


@pytest.mark.parametrize("theme", [str, in_the_dark])
def test_the_hatching_of_a_mask_stands_out(theme: Callable[[str], str]) -> None:
    assert contrast(theme(HIDDEN["edgecolor"]), theme(HIDDEN["facecolor"])) >= 4.5


@pytest.mark.parametrize("name", ROLES)
def test_text_is_readable_on_paper_and_on_its_tint(name: str) -> None:
    role = ROLES[name]
    assert contrast(role.text, PAPER) >= 4.5 and contrast(role.text, role.tint) >= 4.5
    assert contrast(role.line, PAPER) >= 3 and contrast("black", role.tint) >= 12


def test_what_is_live_has_the_same_colours() -> None:
    style = (ROOT / "helpers" / "live" / "style.css").read_text(encoding="utf-8")
    light, dark = (dict(re.findall(r"--([\w-]+): (#\w{6});", block)) for block in re.split(r"\.card\.dark", style))
    assert {name: light[name] for name in ROLES} == {name: role.text for name, role in ROLES.items()}
    assert {name: light[f"{name}-tint"] for name in ROLES} == {name: role.tint for name, role in ROLES.items()}
    assert light["weight"] == WEIGHT
    for name in ROLES:
        assert contrast(dark[name], "#15181c") >= 4.5 and contrast(dark["ink"], dark[f"{name}-tint"]) >= 7
        hue, as_drawn = (np.arctan2(*lab(colour)[[2, 1]]) for colour in (dark[name], ROLES[name].line))
        assert abs((hue - as_drawn + np.pi) % (2 * np.pi) - np.pi) < 0.8, name


def test_the_page_for_learners_shows_these_colours() -> None:
    drawn = (ROOT / "docs" / "colours.svg").read_text(encoding="utf-8")
    for role in ROLES.values():
        assert role.line in drawn and role.tint in drawn and role.text in drawn
    assert all(to_hex(COLOURS_OF_WEIGHTS(weight)) in drawn for weight in (0.1, 0.5, 0.9)) and "hatch" in drawn


def test_more_weight_is_always_further_from_the_paper() -> None:
    brightness = [relative_brightness(COLOURS_OF_WEIGHTS(i)) for i in range(64)]
    assert brightness == sorted(brightness, reverse=True) and brightness[0] > 0.9 and brightness[-1] < 0.02
    shades = {to_hex(COLOURS_OF_WEIGHTS(i)) for i in range(64)}
    assert all(colour[1:3] == colour[3:5] == colour[5:] for colour in shades | {in_the_dark(each) for each in shades})


@pytest.mark.parametrize("ramp", [COLOURS_OF_WEIGHTS, COLOURS_OF_SIGNED_NUMBERS], ids=["weights", "signed"])
def test_numbers_stand_out_on_each_colour(ramp) -> None:
    for i in range(ramp.N):
        fill = ramp(i)
        assert contrast(ink_on(fill), fill) >= 4.5
