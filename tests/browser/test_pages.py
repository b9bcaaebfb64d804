"""Every page of every language in the browser: nothing is fetched, nothing goes wrong, and what is interactive works."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from browser_support import AXE, Watched

LANGUAGES = ("en", "cs", "zh")


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_opens_on_a_phone_without_a_request_an_error_or_a_sideways_scroll(site: Path, browser: Any, scheme: str):
    seen = Watched(browser, viewport={"width": 360, "height": 780}, color_scheme=scheme)
    wrong: list[str] = []
    for path in pages(site):
        page = seen.open(path)
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > 360:
            wrong.append(f"{path.relative_to(site)} is {wide} wide")
        wrong += [f"{path.relative_to(site)}: {e}" for e in seen.errors]
        seen.errors.clear()
    seen.context.close()
    assert len(pages(site)) > 90
    assert wrong == []
    assert [r for r in seen.requests if not r.startswith(("file:", "data:"))] == []


def test_every_page_says_the_same_with_scripts_off(site: Path, browser: Any):
    seen = Watched(browser, java_script_enabled=False)
    for language in LANGUAGES:
        page = seen.open(site / language / "oxono" / "index.html")
        assert page.locator("article.rule").count() == 15
        assert page.locator("figure.example svg").count() > 30
        assert page.locator("form.search").is_hidden()
        assert page.locator("article.rule#turn\\.move .links a[hreflang]").count() == 2
    seen.context.close()


def searched(watched: Any, site: Path, language: str, query: str) -> Any:
    """The first page of a language, with what a search has found."""
    page = watched.open(site / language / "index.html")
    page.fill("form.search input", query)
    page.wait_for_selector(".results a")
    return page


@pytest.mark.parametrize(
    ("language", "query", "expected"),
    [
        ("en", "totem jump", "move.jump"),
        ("en", "move.jump", "move.jump"),
        ("en", "blocked opponent", "end.blocked"),
        ("cs", "uvolneni cesty", "room.remove"),
        ("cs", "Uvolnění cesty", "room.remove"),
        ("cs", "petka", "question.last-stone"),
        ("cs", "sikma trojka", "shape.edge-three"),
        ("cs", "uhloprick", "question.diagonals"),
        ("zh", "拔子让路", "room.remove"),
        ("zh", "三斜", "shape.edge-three"),
        ("zh", "五连", "end.five"),
        ("zh", "滑行", "move.slide"),
    ],
)
def test_search_finds_rules_in_each_language(site: Path, watched: Any, language: str, query: str, expected: str):
    page = searched(watched, site, language, query)
    found = page.locator(".results a span").all_inner_texts()
    assert any(text.endswith(f"· {expected}") for text in found), found
    assert watched.errors == []


@pytest.mark.parametrize(
    ("language", "query", "first"),
    [
        ("en", "slide", "move.slide"),
        ("en", "sliding", "move.slide"),
        ("en", "straight five", "shape.straight-five"),
        ("en", "straight fives", "shape.straight-five"),
        ("en", "end.five", "end.five"),
        ("cs", "posun", "move.slide"),
        ("cs", "sikme ctyrky", "shape.four"),
        ("cs", "ŠIKMÁ ČTYŘKA", "shape.four"),
        ("cs", "uvolneni", "room.remove"),
        ("zh", "滑", "move.slide"),
        ("zh", "通天", "shape.corner-span"),
        ("zh", "逼子", "force.remove"),
        ("zh", "布子", "place.stone"),
    ],
)
def test_the_rule_whose_title_is_asked_for_stands_first(site: Path, watched: Any, language: str, query: str, first: str):
    page = searched(watched, site, language, query)
    assert page.locator(".results a span").first.inner_text().endswith(f"· {first}"), page.locator(".results a").all_inner_texts()


def test_a_single_chinese_sign_finds_every_rule_that_has_it(site: Path, watched: Any):
    page = watched.open(site / "zh" / "index.html")
    found = page.evaluate(
        """() => new Promise((done) => {
          window.lawstoneIndex = (entries) => done([
            new window.Lawstone.Index(entries).find("跳", 999).length,
            entries.filter((e) => (e.t + e.x).includes("跳")).length,
          ]);
          const s = document.createElement("script");
          s.src = "../static/search.zh.js";
          document.head.append(s);
        })"""
    )
    assert found[0] == found[1] > 5


def test_a_search_result_leads_to_its_rule(site: Path, watched: Any):
    page = watched.open(site / "zh" / "xxung" / "index.html")
    page.fill("form.search input", "三斜")
    page.wait_for_selector(".results a")
    page.keyboard.press("Enter")
    page.wait_for_url("**/zh/wugun/index.html#shape.edge-three")
    assert page.locator("article#shape\\.edge-three").is_visible()


def test_the_language_switch_stays_at_the_same_rule(site: Path, watched: Any):
    page = watched.open(site / "en" / "wugun" / "index.html", "#room.remove")
    page.click("nav.languages a[hreflang=cs]")
    page.wait_for_url("**/cs/wugun/index.html#room.remove")
    assert "Uvolnění cesty" in page.locator("article#room\\.remove h3").inner_text()


def squares(page: Any, *names: str) -> None:
    """Click sites of the board one after the other."""
    kits = page.evaluate("JSON.parse(document.getElementById('kits').textContent)")
    kit = next(iter(kits.values()))
    for name in names:
        x, y = kit["at"][kit["names"].index(name)]
        point = page.evaluate(
            "([x, y]) => { const s = document.querySelector('.table svg'); s.scrollIntoView({ block: 'center' });"
            " const p = new DOMPoint(x, y).matrixTransform(s.getScreenCTM()); return [p.x, p.y]; }", [x, y],
        )  # fmt: skip
        page.mouse.click(*point)


def test_an_illegal_click_is_refused_with_the_rule_that_forbids_it(site: Path, watched: Any):
    page = watched.open(site / "en" / "xxung" / "play.html")
    squares(page, "e5", "f6")
    assert "turn.line" in page.locator(".refused").inner_text()
    assert page.locator(".refused a").get_attribute("href") == "index.html#turn.line"
    squares(page, "e7")
    assert page.locator(".refused").count() == 0
    assert page.locator(".table .moves").inner_text() == "1. e5 2. e7"
    page.click("button[data-do=undo]")
    assert page.locator(".table .moves").inner_text() == "1. e5"


def test_a_game_of_xxung_is_won_on_the_page_as_in_the_engine(site: Path, watched: Any):
    page = watched.open(site / "cs" / "xxung" / "play.html")
    squares(page, "a1", "a2", "b2", "b1", "c1", "c2", "d2", "d1", "e1", "e2", "f2")
    text = page.locator(".told").inner_text()
    assert "Na tahu" in text or "vyhrává" in text
    assert watched.errors == []


def test_oxono_is_played_by_option_totem_and_pawn(site: Path, watched: Any):
    page = watched.open(site / "en" / "oxono" / "play.html")
    squares(page, "c5")
    assert page.locator(".refused").inner_text().startswith("Choose")
    page.get_by_role("button", name="X", exact=True).click()
    squares(page, "d3")
    assert page.locator(".refused a").get_attribute("href").startswith("index.html#move.slide")
    squares(page, "c5", "d5")
    assert page.locator(".table .moves").inner_text() == "1. Xc5 d5"
    assert watched.errors == []


def test_the_keyboard_plays_too(site: Path, watched: Any):
    page = watched.open(site / "en" / "gomoku" / "play.html")
    page.locator(".table svg").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.locator(".table .moves").inner_text() == "1. h8"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert page.locator(".table .moves").inner_text() == "1. h8 2. h9"


@pytest.mark.parametrize("game", ["xxung", "gomoku", "wugun", "oxono"])
def test_fifty_random_moves_are_played_on_the_page_without_an_error(site: Path, watched: Any, game: str):
    page = watched.open(site / "zh" / game / "play.html")
    for _ in range(50):
        page.click("button[data-do=random]")
    assert page.locator(".table .moves").inner_text().startswith("1. ")
    assert watched.errors == []


def test_examples_are_stepped_through(site: Path, watched: Any):
    page = watched.open(site / "en" / "xxung" / "index.html")
    figure = page.locator("figure[data-steps]").first
    before = figure.locator("svg use").count()
    figure.get_by_role("button", name="Start").click()
    assert figure.locator(".where").inner_text() == "1 / 2"
    assert figure.locator(".where").get_attribute("aria-label").startswith("position 1 of 2")
    assert figure.locator("svg use").count() < before
    assert figure.get_by_role("button", name="Start").get_attribute("aria-disabled") == "true"
    figure.get_by_role("button", name="Next").focus()
    page.keyboard.press("ArrowRight")
    assert figure.locator(".where").inner_text().startswith("2 / 2 · ")
    assert figure.get_by_role("button", name="End").get_attribute("aria-disabled") == "true"
    page.keyboard.press("Home")
    assert figure.locator(".where").inner_text() == "1 / 2"
    assert watched.errors == []


def test_the_stones_that_win_are_pointed_out_before_and_after_stepping(site: Path, watched: Any):
    page = watched.open(site / "en" / "gomoku" / "index.html", "#end.five")
    figure = page.locator("article#end\\.five figure[data-steps]:has(use[href*=m-here])").first
    figure = page.locator(f"figure[id='{figure.get_attribute('id')}']")
    assert figure.locator("use[href*=m-here]").count() == 5
    figure.get_by_role("button", name="Back").click()
    assert figure.locator("use[href*=m-here]").count() == 0
    figure.get_by_role("button", name="Next").click()
    assert figure.locator("use[href*=m-here]").count() == 5


def test_a_stepped_board_says_in_the_language_of_the_page_what_stands_where(site: Path, watched: Any):
    page = watched.open(site / "cs" / "gomoku" / "index.html")
    figure = page.locator("figure[data-steps]").first
    figure.get_by_role("button", name="Zpět").click()
    assert re.search("(černý|bílý) kámen na [a-o]1?[0-9]|deska je prázdná", figure.locator("svg desc").text_content())


def test_the_cursor_of_the_board_is_spoken(site: Path, watched: Any):
    page = watched.open(site / "en" / "gomoku" / "play.html")
    page.locator(".table svg").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".table .unseen").inner_text() == "h8, empty, legal"
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    assert page.locator(".table .unseen").inner_text() == "h8, black stone"
    assert page.locator(".table svg").get_attribute("aria-describedby") == "play-keys"


def test_escape_gives_up_what_has_been_picked(site: Path, watched: Any):
    page = watched.open(site / "en" / "oxono" / "play.html")
    page.get_by_role("button", name="X", exact=True).click()
    squares(page, "c5")
    page.locator(".table svg").focus()
    page.keyboard.press("Escape")
    assert page.get_by_role("button", name="X", exact=True).get_attribute("aria-pressed") == "false"


def test_the_language_switch_stays_at_the_rule_that_is_read(site: Path, watched: Any):
    page = watched.open(site / "en" / "wugun" / "index.html")
    page.evaluate("document.getElementById('capture.take').scrollIntoView()")
    page.wait_for_selector(".toc a[href='#capture.take'][aria-current]")
    page.evaluate("document.querySelector('nav.languages a[hreflang=zh]').click()")
    page.wait_for_url("**/zh/wugun/index.html#capture.take")


def test_the_tab_of_the_page_is_in_sight_on_a_phone(site: Path, browser: Any):
    seen = Watched(browser, viewport={"width": 360, "height": 780})
    for name in ("index", "variants", "changes"):
        page = seen.open(site / "cs" / "wugun" / f"{name}.html")
        box = page.locator("nav.game a[aria-current]:not(.name)").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
    seen.context.close()


def test_the_two_sides_of_a_change_are_stepped_through(site: Path, watched: Any):
    page = watched.open(site / "en" / "wugun" / "changes.html")
    figure = page.locator("article[id$=no-room-mover-wins] figure.example").first
    full = figure.locator("svg.ls use").count()
    figure.locator(".steps button").first.click()
    assert figure.locator("svg.ls use").count() < full
    figure.locator(".steps button").last.click()
    assert figure.locator("svg.ls use").count() >= full - 1
    assert watched.errors == []


def test_the_legal_sites_of_an_example_come_back_after_stepping(site: Path, watched: Any):
    page = watched.open(site / "en" / "oxono" / "index.html")
    figure = page.locator("#example-jump\\.out-of-an-enclosure")
    marked = "use[href*='-m-legal'], use[href*='-m-blocked']"
    assert figure.locator(marked).count() == 0  # the board after the move
    figure.locator(".steps button").nth(1).click()
    assert figure.locator(marked).count() > 5
    figure.locator(".steps button").last.click()
    assert figure.locator(marked).count() == 0


def test_everything_can_be_reached_with_the_tab_key_and_shows_where_it_is(site: Path, watched: Any):
    page = watched.open(site / "en" / "xxung" / "index.html")
    seen: set[str] = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        where = page.evaluate(
            "(() => { const e = document.activeElement; const s = getComputedStyle(e);"
            " return [e.tagName + '.' + e.className, s.outlineStyle !== 'none' || e.tagName === 'BODY']; })()"
        )
        seen.add(where[0].split(" ")[0])
        assert where[1], where
    assert {"A.skip", "A.home", "BUTTON.theme", "SUMMARY.", "A.term"} <= seen


def test_one_switch_shows_the_legal_moves_of_each_reading(site: Path, watched: Any):
    page = watched.open(site / "en" / "oxono" / "questions.html")
    assert page.locator(".switch").count() > 5
    figure = page.locator("figure.parting:has(.switch)").first
    figure.get_by_label("Reading A").check()
    first = figure.locator("svg g use").count()
    figure.get_by_label("Reading B").check()
    assert (first, figure.locator("svg g use").count()) != (0, 0)
    assert watched.errors == []


def test_the_summary_of_each_game_is_printed_on_one_page(site: Path, watched: Any):
    for language in LANGUAGES:
        for game in ("xxung", "gomoku", "wugun", "oxono"):
            page = watched.open(site / language / game / "summary.html")
            printed = page.pdf(format="A4", prefer_css_page_size=True)
            assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1, f"{language}/{game}"


def test_print_hides_what_is_only_for_the_screen_and_keeps_the_boards(site: Path, watched: Any):
    page = watched.open(site / "en" / "oxono" / "index.html")
    page.emulate_media(media="print")
    assert page.locator("header.top, nav.game, .toc, footer").evaluate_all("all => all.every((e) => !e.offsetParent)")
    assert page.locator("figure.example svg").first.is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


SAMPLE = (
    "en/index.html",
    "en/glossary.html",
    "docs/language.html",
    "cs/oxono/index.html",
    "en/xxung/questions.html",
    "en/oxono/play.html",
    "zh/gomoku/variants.html",
    "en/oxono/sources.html",
    "en/gomoku/statistics.html",
    "zh/wugun/summary.html",
    "en/wugun/claims.html",
)


@pytest.mark.skipif(not AXE, reason="axe-core is not installed")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault_on_one_page_of_each_kind(site: Path, browser: Any, scheme: str):
    seen = Watched(browser, color_scheme=scheme)
    found: set[str] = set()
    for name in SAMPLE:
        page = seen.open(site / name)
        page.add_script_tag(path=AXE)
        result = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        serious = [v for v in result["violations"] if v["impact"] in ("serious", "critical")]
        found |= {f"{name}: {v['id']}: {v['nodes'][0]['html'][:200]}" for v in serious}
    seen.context.close()
    assert sorted(found) == []


def test_the_site_is_shown_with_chinese_letters(site: Path, watched: Any):
    page = watched.open(site / "zh" / "index.html")
    sizes = page.evaluate(
        """['棋', '子', String.fromCodePoint(0x10fffe)].map((c) => {
          const canvas = document.createElement('canvas').getContext('2d');
          canvas.font = '40px sans-serif';
          canvas.fillText(c, 5, 45);
          return [...canvas.getImageData(0, 0, 60, 60).data].filter((v) => v > 128).length;
        })"""
    )
    assert len(set(sizes)) == 3, "every letter looks like the sign for a missing one: install a Chinese font"
