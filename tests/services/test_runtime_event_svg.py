"""The picture of a bracket."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from services.runtime.event_record import Event
from services.runtime.event_svg import picture

from .event_samples import DOUBLE, FOURS, GROUPS, PAIRS, SAMPLES
from .event_worlds import format_stage, played_event

SVG = "{http://www.w3.org/2000/svg}"


def drawn(event: Event) -> ElementTree.Element:
    return ElementTree.fromstring(picture(event))


def words(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_picture_says_what_it_is_and_everything_is_inside(name: str) -> None:
    event = SAMPLES[name]
    root = drawn(event)
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert title.text == event.heading
    assert desc is not None
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}"
    left, top, width, height = map(float, (root.get("viewBox") or "").split())
    assert (left, top) == (0, 0)
    for box in root.iter(f"{SVG}rect"):
        right = float(box.get("x", 0)) + float(box.get("width", 0))
        assert right <= width
        assert float(box.get("y", 0)) + float(box.get("height", 0)) <= height
    for said in root.iter(f"{SVG}text"):
        assert 0 <= float(said.get("x", -1)) <= width
        assert 0 <= float(said.get("y", -1)) <= height
    assert set(event.names.values()) <= set(words(root))


def test_cards_do_not_overlap() -> None:
    for event in (PAIRS, FOURS, DOUBLE, played_event([format_stage("knockout", 4)], 61)):
        boxes = [
            tuple(float(box.get(name, 0)) for name in ("x", "y", "width", "height"))
            for box in drawn(event).iter(f"{SVG}rect")
            if box.get("class") == "card"
        ]
        columns: dict[float, float] = {}
        for x, y, _, height in sorted(boxes):
            assert y > columns.get(x, 0)
            columns[x] = y + height


def test_who_goes_on_is_led_to_the_next_table() -> None:
    event = played_event([format_stage("knockout", 4, advance="2")], 32)
    goes_on = sum(len(round_.advancing) for round_ in event.rounds[:-1])
    assert len(list(drawn(event).iter(f"{SVG}path"))) == goes_on
    assert words(drawn(event)).count("wins") == 1


def test_ways_to_another_bracket_and_tables_that_are_played_are_said() -> None:
    said = words(drawn(DOUBLE))
    assert said.count("→ lower 2") == 2
    assert "→ final" in said
    assert any("playing" in word for word in said)
    assert {"Group A, penalties", "Group B, penalties"} <= set(words(drawn(GROUPS)))
    assert "ff" in words(drawn(FOURS))


def test_names_are_text_and_nothing_else() -> None:
    hostile = {1: "<script>alert(1)</script>", 2: "&lt;", 3: "a\x00b\x1b", 4: '"', 5: "\ufffe]]>"}
    text = picture(replace(PAIRS, names=hostile, title="</svg>"))
    root = ElementTree.fromstring(text)
    assert "<script" not in text
    assert hostile[1] in words(root)
    assert "&lt;" in words(root)
    assert root.find(f".//{SVG}script") is None


def test_a_long_name_is_cut_in_its_row_and_whole_in_the_card() -> None:
    name = "x" * 60
    root = drawn(replace(PAIRS, names={**PAIRS.names, 1: name}))
    assert name not in words(root)
    titles = [element.text or "" for element in root.iter(f"{SVG}title")]
    assert any(name in title for title in titles)


def test_the_picture_needs_nothing_from_elsewhere_and_has_both_themes() -> None:
    text = picture(PAIRS)
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}
    assert "prefers-color-scheme: dark" in text
    assert picture(PAIRS) == text


def test_five_hundred_entrants_take_a_moment() -> None:
    event = played_event([format_stage("knockout", 2, advance="1")], 500)
    began_s = time.process_time()
    assert len(picture(event)) < 1_000_000
    assert time.process_time() - began_s < 2
