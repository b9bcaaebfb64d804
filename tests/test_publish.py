"""The reference site: what a build writes, what it refuses to call checked, and that no text can inject anything."""

from __future__ import annotations

import json
import re
import shutil
import threading
import time
import urllib.request
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from lawstone import data
from lawstone.cli.publish import publish
from lawstone.core import Backend
from lawstone.drawing import Look
from lawstone.engine.game import Game
from lawstone.model.faults import Fault
from lawstone.publish import checked, drawings, editors, kept, labels, parting, terms
from lawstone.publish.facts import Facts
from lawstone.publish.serve import Built, Server
from lawstone.publish.site import Report, Site
from lawstone.spec import Spec, load
from published import HEAD, record

ROOT = Path(__file__).resolve().parents[1]
made = drawings._body
FOUNDING = ("xxung", "gomoku", "wugun", "oxono")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Report]:
    out = tmp_path_factory.mktemp("site")
    return out, Site(out, ["xxung", "tic-tac-toe"], playouts=10).build()


def copied(tmp_path: Path, game: str, **changes: Callable[[str], str]) -> Path:
    """A game's folder with some of its files changed; a file is named with `_` for `.`."""
    folder = tmp_path / game
    shutil.copytree(data.spec_root() / game, folder)
    for name, change in changes.items():
        path = folder / name.replace("_", ".")
        path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    return folder


def faults_of(folder: Path) -> list[Fault]:
    spec = load(folder)
    shared = terms.load(data.spec_root())
    return editors.faults(Facts(spec, folder), shared)


# -- what is built ----------------------------------------------------------------------------------------------------


def test_every_page_is_well_formed_small_and_leads_somewhere(built: tuple[Path, Report]):
    out, report = built
    assert report.broken == []
    assert report.pages == len(list(out.rglob("*.html"))) > 45
    assert max(p.stat().st_size for p in out.rglob("*.html")) < checked.LARGEST


def test_a_rule_has_the_same_anchor_in_every_language(built: tuple[Path, Report]):
    out, _ = built
    anchors = [set(checked.look_at((out / lang / "xxung" / "index.html").read_text("utf-8"))["ids"]) for lang in labels.LANGUAGES]
    assert {"turn.line", "end.five", "setup.board"} <= anchors[0]
    assert anchors[0] == anchors[1] == anchors[2]


def test_every_rule_stands_with_its_clause_its_examples_and_its_sources(built: tuple[Path, Report]):
    page = (built[0] / "en" / "xxung" / "index.html").read_text("utf-8")
    article = page.split('<article class="rule" id="turn.line">')[1].split("</article>")[0]
    assert "places one of their own stones on a cell reached from the last stone straight along a row or column" in article
    assert 'id="example-line.row-and-column"' in article
    assert 'href="sources.html#sentence-17"' in article
    assert 'href="questions.html#in-between"' in article


@pytest.mark.parametrize("language", ["en", "cs", "zh"])
def test_beside_a_rule_stand_the_vectors_that_it_decides(built: tuple[Path, Report], language: str):
    suite = json.loads((ROOT / "tests" / "suites" / "xxung" / "core.json").read_text("utf-8"))
    page = (built[0] / language / "xxung" / "index.html").read_text("utf-8")
    articles = dict(re.findall(r'<article class="rule" id="([^"]+)">(.*?)</article>', page, re.DOTALL))
    for rule in {rule for vector in suite["vectors"] for rule in vector["rules"]} & set(articles):
        decided = [v["id"] for v in suite["vectors"] if rule in v["rules"]]
        details = articles[rule].split('<details class="vectors">')[1].split("</details>")[0]
        assert f"({len(decided)})</summary>" in details
        assert re.findall(r"<code>(xxung\.[^<]+)</code>", details) == decided[:8]
        reference = json.loads((built[0] / "rules" / "xxung" / f"{rule}.json").read_text("utf-8"))
        assert reference["vectors"] == decided


def test_only_a_game_that_has_changed_is_built_anew(tmp_path: Path):
    folders = [copied(tmp_path, "tic-tac-toe"), copied(tmp_path, "teeko")]
    out = tmp_path / "out"

    def build() -> Report:
        return Site(out, [str(f) for f in folders], playouts=5).build()

    assert build().built == ["tic-tac-toe", "teeko"]
    before = {p: p.stat().st_mtime_ns for p in out.rglob("*.html")}
    assert build().kept == ["tic-tac-toe", "teeko"]
    assert {p: p.stat().st_mtime_ns for p in out.rglob("*.html")} == before
    text = folders[0] / "text.en.md"
    text.write_text(text.read_text("utf-8").replace("nobody may pass", "no one may pass"), "utf-8")
    report = build()
    assert (report.built, report.kept) == (["tic-tac-toe"], ["teeko"])
    assert "no one may pass" in (out / "en" / "tic-tac-toe" / "index.html").read_text("utf-8")


def test_a_change_of_a_text_does_not_lower_the_readings_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder, asked = copied(tmp_path, "tic-tac-toe"), list[bool]()
    faults = Spec.faults

    def noted(spec: Spec, sound: bool = False) -> list[Fault]:
        asked.append(sound)
        return faults(spec, sound)

    monkeypatch.setattr(Spec, "faults", noted)
    for file, old, new in (
        ("text.en.md", "Any", "Every"),
        ("game.yaml", "rules version: 1", "rules version: 2"),
        ("text.en.md", "a", "b"),
    ):
        Site(tmp_path / "out", [str(folder)], playouts=5).build()
        path = folder / file
        path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    Site(tmp_path / "out", [str(folder)], playouts=5).build()
    assert asked == [False, True, False, True]


def test_a_change_of_a_translation_writes_only_pages_in_its_language_and_they_are_those_of_a_fresh_build(tmp_path: Path):
    folder, out = copied(tmp_path, "xxung"), tmp_path / "out"
    Site(out, [str(folder)], playouts=5).build()
    before = {p: p.stat().st_mtime_ns for p in out.rglob("*.html")}
    text = folder / "text.cs.md"
    text.write_text(text.read_text("utf-8").replace("Deska je", "Celá deska je"), "utf-8")
    Site(out, [str(folder)], playouts=5).build()
    changed = {p.relative_to(out).parts[0] for p, then in before.items() if p.stat().st_mtime_ns != then}
    assert changed == {"cs"}
    Site(tmp_path / "fresh", [str(folder)], playouts=5).build()
    for page in (tmp_path / "fresh").rglob("*.*"):
        if page.is_file() and page.name != kept.NAME:
            assert (out / page.relative_to(tmp_path / "fresh")).read_bytes() == page.read_bytes(), page


def test_a_fault_in_a_file_that_was_remembered_is_shown_at_its_line(tmp_path: Path):
    folder = copied(tmp_path, "xxung")
    Site(tmp_path / "out", [str(folder)], playouts=5).build()
    text = folder / "text.en.md"
    text.write_text(text.read_text("utf-8").replace("## note.advice", "## note.hints"), "utf-8")
    report = Site(tmp_path / "out", [str(folder)], playouts=5).build()
    assert "vanished" not in {f.code for f in report.faults}  # the other texts still have it
    for name in ("text.cs.md", "text.zh.md"):
        path = folder / name
        path.write_text(path.read_text("utf-8").replace("## note.advice", "## note.hints"), "utf-8")
    report = Site(tmp_path / "out", [str(folder)], playouts=5).build()
    [gone] = [f for f in report.faults if f.code == "vanished"]
    lines = (folder / "retired.yaml").read_text("utf-8").splitlines()
    assert lines[gone.line - 1].strip() == "- note.advice"
    assert gone.column == lines[gone.line - 1].index("note") + 1


def test_a_result_is_kept_as_long_as_it_is_made_from_the_same():
    made: list[int] = []

    def make() -> list[int]:
        made.append(len(made))
        return [made[-1]]

    def same(found: list[int]) -> list[int]:
        return found

    def nothing(found: list[int]) -> None:
        return None

    first = kept.Kept({})
    assert [first("a", "x", make, same, same), first("b", "x", make, nothing, same)] == [[0], [1]]
    second = kept.Kept(first.used)
    again = [second(name, made_from, make, same, same) for name, made_from in (("a", "x"), ("b", "x"), ("a", "y"))]
    assert again == [[0], [2], [3]]


def test_the_reference_for_machines_holds_every_rule(built: tuple[Path, Report]):
    out, _ = built
    assert [g["game"] for g in json.loads((out / "games.json").read_text("utf-8"))["games"]] == ["xxung", "tic-tac-toe"]
    whole = json.loads((out / "rules" / "xxung.json").read_text("utf-8"))
    assert {r["rule"] for r in whole["rules"]} >= set(load("xxung").all_rules())
    rule = json.loads((out / "rules" / "xxung" / "end.five.json").read_text("utf-8"))
    assert set(rule["says"]) == {"en", "cs", "zh"}
    assert 53 in rule["sentences"]


def test_the_search_index_of_a_language_holds_its_own_titles(built: tuple[Path, Report]):
    text = (built[0] / "static" / "search.cs.js").read_text("utf-8")
    entries = json.loads(text.removeprefix("lawstoneIndex(").rstrip().removesuffix(");"))
    assert {e["i"]: e["t"] for e in entries}["end.blocked"] == "Zablokovaný soupeř"
    assert all((built[0] / e["u"].split("#")[0]).is_file() for e in entries)


def test_the_documentation_is_part_of_the_site(built: tuple[Path, Report]):
    page = (built[0] / "docs" / "language.html").read_text("utf-8")
    assert "<h1" in page
    assert (built[0] / "docs" / "a-construct.html").is_file()


def test_the_script_has_a_method_for_every_operator_of_the_core():
    script = (ROOT / "rules/lawstone/publish/static/lawstone.js").read_text("utf-8")
    body = script.split("class Operators {")[1].split("\n  }\n")[0]
    methods = set(re.findall(r"^    (\w+)\(", body, re.MULTILINE)) - {"constructor"}
    assert methods == {name for name in vars(Backend) if not name.startswith("_")}


def test_every_label_is_said_in_every_language():
    assert [key for key, said in labels.LABELS.items() if set(said) != set(labels.LANGUAGES) or not all(said.values())] == []


# -- what an editor is told -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", FOUNDING)
def test_the_founding_games_may_be_called_checked(game: str):
    spec = load(game)
    assert set(spec.texts) == {"en", "cs", "zh"}
    found = editors.faults(Facts(spec, data.proofs_root() / game), terms.load(data.spec_root()))
    assert [f.render() for f in found] == []


def test_a_failing_example_is_shown_at_its_line(tmp_path: Path):
    folder = copied(tmp_path, "tic-tac-toe", examples_yaml=lambda t: t.replace("count: 8", "count: 7"))
    [fault] = faults_of(folder)
    assert (fault.code, fault.source_line.strip()) == ("example-fails", "- id: place.taken-cell")


def test_a_vanished_id_is_shown_where_it_was_published(tmp_path: Path):
    folder = copied(tmp_path, "tic-tac-toe")
    (folder / "retired.yaml").write_text("published:\n  - turn.place\n  - turn.put\n", "utf-8")
    [fault] = faults_of(folder)
    assert (fault.code, fault.line) == ("vanished", 3)
    (folder / "retired.yaml").write_text("published: [turn.place, turn.put]\nretired: {turn.put: turn.place}\n", "utf-8")
    assert faults_of(folder) == []


def test_a_retired_id_still_leads_to_its_rule(tmp_path: Path):
    folder = copied(tmp_path, "tic-tac-toe")
    (folder / "retired.yaml").write_text("published: [turn.put]\nretired: {turn.put: turn.place}\n", "utf-8")
    Site(tmp_path / "out", [str(folder)], playouts=5).build()
    page = (tmp_path / "out" / "en" / "tic-tac-toe" / "index.html").read_text("utf-8")
    assert page.index('id="turn.place"') < page.index('id="turn.put"') < page.index('id="end.three"')


def test_a_translation_is_stale_once_its_original_changes(tmp_path: Path):
    folder = copied(tmp_path, "xxung", text_en_md=lambda t: t.replace("starts empty", "starts quite empty"))
    found = faults_of(folder)
    assert [(f.code, Path(f.path).name, f.line) for f in found] == [
        ("stale-translation", "text.cs.md", 1), ("stale-translation", "text.zh.md", 1),
    ]  # fmt: skip
    digest = re.search(r"[0-9a-f]{12}", found[0].hint)
    assert digest
    renewed = folder / "text.cs.md"
    renewed.write_text(re.sub(r"[0-9a-f]{12}", digest[0], renewed.read_text("utf-8"), count=1), "utf-8")
    assert [Path(f.path).name for f in faults_of(folder)] == ["text.zh.md"]


def test_line_breaks_do_not_make_a_translation_stale(tmp_path: Path):
    folder = copied(tmp_path, "xxung", text_en_md=lambda t: t.replace("two players on a", "two players\non a"))
    assert faults_of(folder) == []


def test_a_translation_that_names_no_original_is_told_so(tmp_path: Path):
    folder = copied(tmp_path, "xxung", text_zh_md=lambda t: t.split("\n", 1)[1])
    assert [f.code for f in faults_of(folder)] == ["unstamped-translation"]


def test_a_word_that_the_term_table_avoids_is_shown_in_its_column(tmp_path: Path):
    folder = copied(tmp_path, "xxung", text_cs_md=lambda t: t.replace("Deska je čtvercová", "Šachovnice je čtvercová"))
    [fault] = faults_of(folder)
    assert (fault.code, fault.column, fault.hint) == ("term", 1, "say 'deska'")
    assert fault.source_line.startswith("Šachovnice")


def test_terms_are_found_in_their_forms_and_not_inside_other_words():
    shared = terms.load(data.spec_root())
    czech = terms.Table(tuple(shared.terms), "cs", "xxung", shared.names)
    assert czech.uses("V rohu desky leží kamenem přikrytý papír.") == {"board", "stone"}
    english = terms.Table(tuple(shared.terms), "en", "xxung", shared.names)
    assert english.uses("A brow, an arrow and the rows.") == {"row"}
    assert str(english.linked("a <b>row</b>", lambda t: f"#{t.id}")) == 'a &lt;b&gt;<a class="term" href="#row">row</a>&lt;/b&gt;'
    assert terms.Table(tuple(shared.terms), "zh", "oxono", shared.names).name("pink pawn") == "粉方棋子"


def test_a_page_with_faults_says_that_it_is_not_checked_and_the_command_ends_with_1(tmp_path: Path):
    folder = copied(tmp_path, "tic-tac-toe", examples_yaml=lambda t: t.replace("count: 8", "count: 7"))
    arguments = [str(folder), "--out", str(tmp_path / "out"), "--playouts", "5"]
    result = CliRunner().invoke(publish, arguments, standalone_mode=False)
    assert result.return_value == 1
    assert "[example-fails]" in result.output
    assert "NOT CHECKED" in (tmp_path / "out" / "en" / "tic-tac-toe" / "index.html").read_text("utf-8")
    (folder / "examples.yaml").write_text((data.spec_root() / "tic-tac-toe" / "examples.yaml").read_text("utf-8"), "utf-8")
    result = CliRunner().invoke(publish, arguments, standalone_mode=False)
    assert result.return_value == 0
    assert "NOT CHECKED" not in (tmp_path / "out" / "en" / "tic-tac-toe" / "index.html").read_text("utf-8")


# -- nothing can be injected ------------------------------------------------------------------------------------------

EVIL = '<script>window.hacked=1</script><img src=x onerror="window.hacked=1">\'"&{{ 7*7 }}</script>-->]]>'


def hostile(tmp_path: Path) -> Path:
    """A game with markup in every text field that it has."""
    folder = copied(
        tmp_path,
        "tic-tac-toe",
        game_yaml=lambda t: (
            t.replace("title: {en: Tic-Tac-Toe}", f"title: {{en: {json.dumps(EVIL)}}}")
            + f"questions:\n  - id: evil\n    ask: {{en: {json.dumps(EVIL)}}}\n    status: open\n    source: [common]\n"
            + "    answers: {a: {}, b: {end.full: {draw: false, wins: mover}}}\n"
            + f"variants:\n  twist: {{title: {{en: {json.dumps(EVIL)}}}, changes: {{end.three: {{if.line.at least: 2}}}}}}\n"
        ),
        text_en_md=lambda t: (
            re.sub(r"^## ([\w.]+): .*$", lambda m: f"## {m[1]}: {EVIL}", t, flags=re.MULTILINE)
            .replace("# Tic-Tac-Toe", f"# {EVIL}", 1)
            .replace("Any empty cell", f"{EVIL} [x](javascript:alert(1)) `{EVIL}` Any empty cell")
            + "".join(
                f"\n## {h}: {EVIL}\n{EVIL}\n\n{EVIL}\n"
                for h in ("question.evil", "question.evil.a", "question.evil.b", "variant.twist")
            )
        ),
        sources_yaml=lambda t: t.replace('title: "', f'note: {json.dumps(EVIL)}\n    title: "').replace(
            "kind: well-known rules", f"kind: {json.dumps(EVIL)}"
        ),
        examples_yaml=lambda t: re.sub(r"title: \{en: .*\}", lambda m: f"title: {{en: {json.dumps(EVIL)}}}", t),
    )
    (folder / "terms.yaml").write_text(
        f"terms:\n  - {{id: evil, en: {{say: {json.dumps(EVIL)}, means: {json.dumps(EVIL)}}}}}\n", "utf-8"
    )
    return folder


def test_markup_in_every_text_field_of_a_game_stays_text(tmp_path: Path):
    out = tmp_path / "out"
    report = Site(out, [str(hostile(tmp_path))], playouts=5).build()
    assert report.faults == []
    assert report.broken == []
    pages = list(out.rglob("*.html"))
    assert sum("&lt;script&gt;window.hacked" in p.read_text("utf-8") for p in pages) > 15
    for path in [*pages, *out.rglob("*.js")]:
        text = path.read_text("utf-8")
        assert "<script>window.hacked" not in text, path
        assert "<img" not in text, path
        assert "javascript:" not in re.sub(r">[^<]*<", "><", text), path
        assert "49" not in text[text.find("hacked") : text.find("hacked") + 90], path


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ("<p>x<p>y</p>", "<p> inside <p>"),
        ("<p><div></div></p>", "<div> inside <p>"),
        ('<i id="a"></i><b id="a"></b>', "stands twice"),
        ("<a href='#x'><a href='#x'>y</a></a>", "link inside a link"),
        ("<blink>x</blink>", "not an element"),
        ("<b></i>", "where <b> is open"),
        ("<img src='x.png'>", "without words"),
        ('<p onclick="x()">y</p>', "script in an attribute"),
        ("</br>", "ends what has no end"),
        ("<p id='a' id='b'>x</p>", "an attribute twice"),
    ],
)
def test_the_validity_check_finds_faults(html: str, fault: str):
    whole = f"<!DOCTYPE html><html lang='en'><head><title>t</title></head><body><h1>t</h1>{html}</body></html>"
    assert any(fault in f for f in checked.look_at(whole)["faults"])
    sound = whole.replace(html, "<p>sound</p>")
    assert checked.look_at(sound)["faults"] == []


@pytest.mark.parametrize(
    ("href", "fault"),
    [
        ("b.html", "leads nowhere"),
        ("#gone", "no such place"),
        ("https://example.org/", "out of the site"),
        ("../x.html", "leads nowhere"),
    ],
)
def test_the_link_check_finds_broken_links(tmp_path: Path, href: str, fault: str):
    page = tmp_path / "a.html"
    page.write_text(
        f"<!DOCTYPE html><html lang='en'><head><title>t</title></head><body><h1 id='h'>t</h1><a href='{href}'>x</a></body></html>",
        "utf-8",
    )
    [found] = checked.check(tmp_path, [page], {})
    assert fault in found
    page.write_text(page.read_text("utf-8").replace(href, "#h"), "utf-8")
    assert checked.check(tmp_path, [page], {}) == []


# -- served, printed --------------------------------------------------------------------------------------------------


def test_the_server_builds_anew_when_a_file_changes(tmp_path: Path):
    (tmp_path / "index.html").write_text("<p>one</p></body>", "utf-8")
    watched = tmp_path / "text.en.md"
    watched.write_text("a", "utf-8")
    fault = Fault("text.en.md", 1, 2, "term", "not <so>", "say 'so'", "a")
    outcomes = [Built(), Built([fault], good=False)]
    builds: list[int] = []

    def build() -> Built:
        builds.append(1)
        return outcomes[len(builds) - 1]

    server = Server(tmp_path, build, lambda: [watched])
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    with urllib.request.urlopen(server.address + "index.html") as answer:
        assert answer.read().startswith(b"<p>one</p><script>")
    with urllib.request.urlopen(server.address + ".changes") as answer:
        assert json.load(answer) == {"tried": 1, "good": 1, "faults": [], "more": 0}
    watched.write_text("ab", "utf-8")
    for _ in range(60):
        if len(builds) > 1:
            break
        time.sleep(0.1)
    time.sleep(0.2)
    with urllib.request.urlopen(server.address + ".changes") as answer:
        told = json.load(answer)
    assert (told["tried"], told["good"]) == (2, 1)
    assert [(f["where"], f["message"], f["hint"]) for f in told["faults"]] == [("text.en.md:1:2", "not <so>", "say 'so'")]
    server.stop()
    thread.join(5)
    assert (tmp_path / "index.html").read_text("utf-8") == "<p>one</p></body>"


def test_a_game_is_printed_with_bookmarks(tmp_path: Path):
    pytest.importorskip("weasyprint", reason="the extra `pdf` is not installed")
    report = Site(tmp_path, ["tic-tac-toe"], playouts=5).build(pdf=True)
    assert [p.name for p in report.pdfs] == ["tic-tac-toe.en.pdf", "tic-tac-toe.cs.pdf", "tic-tac-toe.zh.pdf"]
    content = report.pdfs[0].read_bytes()
    assert content.startswith(b"%PDF")
    parts = [zlib.decompress(m[1]) for m in re.finditer(rb"/FlateDecode[^>]*>>\nstream\n(.*?)\nendstream", content, re.DOTALL)]
    assert any(b"/Outlines" in part for part in [content, *parts])


def test_each_changed_rule_is_told_by_a_position_of_its_own(tmp_path: Path):
    folder = copied(tmp_path, "tic-tac-toe")
    (folder / "versions").mkdir()
    earlier = (
        (folder / "game.yaml").read_text("utf-8").replace("to: empty", "to: {all of: [empty, {sites: board, but not: corners}]}", 1)
    )
    earlier = earlier.replace("at least: 3", "at least: 2")
    (folder / "versions" / "1.yaml").write_text(earlier, "utf-8")
    report = Site(tmp_path / "out", [str(folder)], playouts=5).build()
    assert report.broken == []
    page = (tmp_path / "out" / "en" / "tic-tac-toe" / "changes.html").read_text("utf-8")
    place, three = page.split('id="since-1-end.three"')
    assert 'id="since-1-turn.place"' in place
    assert "legal moves: 5<" in place
    assert "legal moves: 9<" in place
    assert "at least 2 own marks" in three
    assert "at least 3 own marks" in three


def test_two_versions_with_other_winners_part_at_the_end():
    one, other = load("tic-tac-toe"), load("tic-tac-toe")
    turned = Game(other, other.rules_with({"end.three": {"wins": "opponent"}}))
    found = parting.find(Game(one, one.rules()), turned)
    assert found is not None
    assert found.first.ended is not None
    assert found.second.ended is not None
    assert found.first.ended.winner != found.second.ended.winner


# -- ids and diagrams ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", sorted(p.parent.name for p in data.spec_root().glob("*/game.yaml")))
def test_every_shipped_game_has_a_record_of_its_published_ids(game: str):
    spec = load(game)
    listed = editors.retired(spec).published
    assert listed == sorted(set(listed))
    assert len(listed) >= 5
    assert record(spec.path.parent).startswith(HEAD)


def test_an_id_that_vanishes_from_a_shipped_game_is_asked_for(tmp_path: Path):
    folder = copied(
        tmp_path,
        "xxung",
        **{f"text_{lang}_md": lambda t: t.replace("## note.advice", "## note.hints") for lang in ("en", "cs", "zh")},
    )
    found = [f for f in faults_of(folder) if f.code == "vanished"]
    assert [f.source_line.strip() for f in found] == ["- note.advice"]


def test_recording_ids_keeps_those_that_are_gone(tmp_path: Path):
    folder = copied(tmp_path, "tic-tac-toe", retired_yaml=lambda t: t.replace("published:\n", "published:\n  - turn.put\n"))
    again = record(folder)
    assert "  - turn.put\n" in again
    assert "  - turn.place\n" in again


def test_a_diagram_that_shows_another_position_is_a_fault_at_its_drawing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = copied(tmp_path, "tic-tac-toe")
    monkeypatch.setattr(drawings, "_body", lambda kit, look: made(kit, replace(look, cells=dict(list(look.cells.items())[1:]))))
    found = [f for f in faults_of(folder) if f.code == "diagram"]
    assert "board: |" in {f.source_line.strip() for f in found}


def test_a_diagram_that_leaves_out_a_legal_move_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = copied(tmp_path, "xxung")

    def without(kit: drawings.Kit, look: Look) -> object:
        legal = [s for s, mark in look.marks.items() if mark == "legal"]
        return made(kit, replace(look, marks={s: m for s, m in look.marks.items() if s not in legal[:1]}))

    monkeypatch.setattr(drawings, "_body", without)
    assert "does not mark" in next(f.message for f in faults_of(folder) if f.code == "diagram")


def test_an_answer_that_means_something_else_now_is_told_by_a_position(tmp_path: Path):
    spec = load("wugun")
    old = load(str(data.spec_root() / "wugun" / "versions" / "0.1.0.yaml"))
    facts = Facts(spec, data.proofs_root() / "wugun")
    found = parting.by_reading(old, spec, facts.probes)
    told = found[parting.Reading("", "no-room", "mover-wins")]
    assert told is not None
    ends = [p.ended and (p.ended.winner, p.ended.rule) for p in (told.first, told.second)]
    assert ends == [(0, "end.shut-loses"), None]  # White cannot make the first step: another question now
    assert told.ways[0][-1][1].cells == told.first.cells
    assert [len(way) for way in told.ways] == [len(told.moves) + 1] * 2
    assert parting.along(told.first.game, told.second.game, told.moves[:-1]) is None
    assert not [r for r, p in found.items() if p is not None and r.variant and found.get(replace(r, variant="")) is not None]


def test_the_page_of_changes_has_a_position_for_each_version_and_names_what_is_new(tmp_path: Path):
    report = Site(tmp_path, ["wugun"], playouts=5).build()
    assert report.broken == []
    page = (tmp_path / "cs" / "wugun" / "changes.html").read_text("utf-8")
    readings = page.split("Jiné výklady, které nyní znamenají něco jiného")[1]
    assert 'href="questions.html#filled-fewer"' in readings.split("Nové otázky")[1]
    article = readings.split('id="since-0.1.0-no-room-mover-wins"')[1].split("</article>")[0]
    assert article.count("data-steps=") == article.count("<svg ") == 2
    assert "Hra, jak se zde čte, se nezměnila" in page
