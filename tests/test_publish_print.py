"""The book: title page, contents with page numbers, running heads, bookmarks, and diagrams that are never split over pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from lawstone.publish.site import Site
from lawstone.spec import load

weasyprint = pytest.importorskip("weasyprint", reason="the extra `pdf` is not installed")


@pytest.fixture(scope="module", params=["en", "zh"])
def book(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Any]:
    html = Site(tmp_path_factory.mktemp("book"), []).print_html(load("xxung"), request.param)
    return html, weasyprint.HTML(string=html).render()


def boxes(page: Any) -> list[Any]:
    return list(page._page_box.descendants())


def words(page: Any, between: str = "") -> str:
    return between.join(getattr(box, "text", "") for box in boxes(page))


def labels(tree: list[Any]) -> list[str]:
    return [label for entry in tree for label in (entry[0], *labels(entry[2]))]


def test_the_bookmarks_are_the_game_its_sections_and_its_rules(book: tuple[str, Any]):
    html, document = book
    found = labels(document.make_bookmark_tree())
    headings = [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", h)).strip() for h in re.findall(r"<h3>(.*?)</h3>", html, re.DOTALL)]
    assert found[0] == "XXung"
    assert len(headings) > 20
    assert [f for f in found if f in headings] == headings


def test_the_contents_name_the_page_on_which_each_rule_stands(book: tuple[str, Any]):
    _, document = book
    numbered = list(enumerate(document.pages, 1))
    page_of = {anchor: n for n, page in reversed(numbered) for anchor in page.anchors}
    linked = {}
    for page in document.pages[:4]:
        for kind, target, *_ in page.links:
            if kind == "internal":
                linked[target] = page_of[target]
    told = [int(n) for n in re.findall(r"(?:\. \|+){3,}(\d+)\|", words(document.pages[2], "|") + "|")]
    assert len(linked) > 10
    assert told == [linked[t] for t in linked]
    assert "turn.line" in linked


def test_each_page_has_the_game_or_the_section_at_its_head_and_a_number_at_its_foot(book: tuple[str, Any]):
    _, document = book
    body = [n for n in range(6, len(document.pages)) if words(document.pages[n])]
    for n in body:
        margins = [b for b in document.pages[n]._page_box.children if type(b).__name__ == "MarginBox"]
        said = ["".join(getattr(d, "text", "") for d in m.descendants()) for m in margins]
        assert str(n + 1) in said, n
        assert len([s for s in said if s and s != str(n + 1)]) == (1 if n % 2 else len([s for s in said if s]) - 1), n
    assert not words(document.pages[1])


def test_no_diagram_is_split_over_pages_or_cut_at_the_foot(book: tuple[str, Any]):
    html, document = book
    drawn = 0
    for page in document.pages:
        for box in boxes(page):
            if str(box.element_tag).endswith("svg") and hasattr(box, "replacement"):
                drawn += 1
                assert box.position_y >= 0
                assert box.position_y + box.height <= page.height
    assert drawn == html.count("<svg ") > 30


def test_a_rule_and_a_question_stand_on_the_page_of_their_first_diagram(book: tuple[str, Any]):
    html, document = book
    articles = re.findall(r'<article id="([^"]+)"(.*?)</article>', html, re.DOTALL)
    illustrated = {anchor for anchor, content in articles if "<svg " in content}
    assert len(illustrated) > 10
    apart = []
    for page in document.pages:
        places = {anchor: box[1] for anchor, box in page.anchors.items() if anchor in illustrated}
        drawn = [b.position_y for b in boxes(page) if str(b.element_tag).endswith("svg") and hasattr(b, "replacement")]
        apart += [anchor for anchor, y in places.items() if not any(top >= y - 1 for top in drawn)]
    assert apart == []


def test_nothing_is_fetched_for_the_book(tmp_path: Path):
    from lawstone.publish import pdf

    with pytest.raises(ValueError, match="fetches nothing"):
        pdf._nothing("file:///etc/passwd")
