"""Clauses as sentences in three languages, and pages that show no text of another language unmarked."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from lawstone import data
from lawstone.constructs.speech import phrases
from lawstone.constructs.speech.chinese import InChinese
from lawstone.constructs.speech.czech import InCzech, declined
from lawstone.constructs.speech.english import InEnglish
from lawstone.constructs.speech.phrases import Lexicon, Speech
from lawstone.engine.game import Game
from lawstone.lower import walk
from lawstone.model.conditions import CONDITIONS
from lawstone.model.faults import Source
from lawstone.model.prose import Text
from lawstone.model.sites import SITES_CLAUSES, Use
from lawstone.model.steps import STEPS, Do
from lawstone.publish import editors, terms, told
from lawstone.publish.clauses import part_of, speech
from lawstone.publish.facts import Facts
from lawstone.publish.site import Site
from lawstone.spec import load
from page_languages import foreign, texts

FOUNDING = ("xxung", "gomoku", "wugun", "oxono")
EVERY = sorted(p.parent.name for p in data.spec_root().glob("*/game.yaml"))
LANGUAGES = ("en", "cs", "zh")


def lexicon(game: str, language: str) -> Lexicon:
    shared = terms.load(data.spec_root())
    return Lexicon(shared.nouns, shared.names, language, game)


def games_of(name: str) -> list[Game]:
    """A game and every variant and answer of it."""
    spec = load(name)
    readings: list[tuple[str, dict[str, str]]] = [("", {}), *((v, {}) for v in spec.game.variants or {})]
    for question in spec.game.questions or []:
        there = "" if question.in_ in (None, "base") else question.in_ or ""
        readings += [(there, {question.id: answer}) for answer in list(question.answers)[1:]]
    return [Game(spec, spec.rules(variant, reading)) for variant, reading in readings]


def said(name: str, rule: str, variant: str = "", **reading: str) -> list[str]:
    spec = load(name)
    game = Game(spec, spec.rules(variant, {k.replace("_", "-"): v for k, v in reading.items()}))
    part = part_of(game, rule)
    assert part is not None
    return [speech(game, lexicon(name, language)).clause(part) for language in LANGUAGES]


# -- sentences that a reader of the game file would write ------------------------------------------------------------------


def test_a_slide_is_said_as_a_way_over_empty_cells():
    assert said("xxung", "turn.line") == [
        "The player places one of their own stones on a cell reached from the last stone straight along a row or column over "
        "empty cells.",
        "Hráč položí vlastní kámen na pole, kam od posledního kamene vede v řadě či sloupci přímá cesta přes prázdná pole.",
        "行棋方把一颗己方棋子放到一个从上一子沿行或列直走、只经过空格可到的格子上。",
    ]


def test_exactly_five_and_at_least_five_are_told_apart():
    exactly, at_least = said("gomoku", "end.five"), said("xxung", "end.five")
    for word, a, b in zip(("exactly 5", "právě 5", "恰好 5"), exactly, at_least, strict=True):
        assert word in a
        assert word not in b
    for word, b in zip(("at least 5", "aspoň 5", "至少 5"), at_least, strict=True):
        assert word in b


def test_fallbacks_are_said_in_order():
    english, czech, chinese = said("oxono", "turn.place")
    assert english.count("; if there is none, on ") == czech.count("; není-li takové, na ") == chinese.count("；若没有，则") == 1


def test_a_condition_stands_before_the_step_that_it_asks_for():
    english, czech, chinese = said("wugun", "room.remove")
    assert english.startswith("If the opponent cannot move and the number of enemy stones")
    assert czech.startswith("Jestliže soupeř nemůže táhnout a počet kamenů soupeře")
    assert chinese.startswith("若对方无处可走，并且对方棋子")


def test_who_acts_is_named_and_pieces_of_a_colour_agree_with_it():
    assert said("gomoku", "pro.second", "pro") == [
        "The second player places a white stone on an empty point next to the middle point.",
        "Druhý hráč položí bílý kámen na prázdný průsečík vedle prostředního průsečíku.",
        "后手把一颗白子放到一个与正中的交叉点相邻的空点上。",
    ]


@pytest.mark.parametrize(("n", "words"), [(1, "1 vlastní kámen"), (3, "3 vlastní kameny"), (5, "5 vlastních kamenů")])
def test_czech_numbers_ask_for_their_case(n: int, words: str):
    game = Game(load("xxung"), load("xxung").rules())
    czech = InCzech(game.rules.words, lexicon("xxung", "cs"))
    assert czech.counted(n, czech.sites("own stone")) == words


def test_czech_adjectives_agree_in_gender_case_and_number():
    assert [declined("prázdný", g, 1, False) for g in "mnf"] == ["prázdného", "prázdného", "prázdné"]
    assert [declined("prázdný", g, 0, True) for g in "mnf"] == ["prázdné", "prázdná", "prázdné"]
    assert [declined("vlastní", "f", c, False) for c in range(4)] == ["vlastní"] * 4
    assert declined("pink", "m", 1, False) == "pink"


def test_a_piece_that_the_term_table_does_not_know_keeps_its_name():
    game = Game(load("xxung"), load("xxung").rules())
    words = Lexicon({}, {}, "cs", "xxung")
    part = part_of(game, "end.five")
    assert part is not None
    assert "5 vlastních kusů „stone“" in InCzech(game.rules.words, words).clause(part)


# -- every construct, every clause of every game ---------------------------------------------------------------------------

ORDINARY = re.compile(r"\b(the|of|and|is|are|if|there|move|site|Sites|None)\b")


@pytest.mark.parametrize("name", EVERY)
def test_every_clause_of_every_reading_is_said_in_three_languages(name: str):
    spoken = 0
    for game in games_of(name):
        for part in walk(game.rules.game):
            if not getattr(part, "rule", None):
                continue
            for language in LANGUAGES:
                told = speech(game, lexicon(name, language)).clause(part)
                if not told:
                    continue
                spoken += 1
                assert "$" not in told
                assert "None" not in told
                assert told[-1] in ".。"
                assert language == "en" or not ORDINARY.search(told), told
                assert "  " not in told, told
    assert spoken > 5


def test_every_construct_has_its_own_case_in_the_sentences():
    cases = set(re.findall(r"case (?:s|c|t)\.(\w+)\(\)", Path(phrases.__file__).read_text("utf-8")))
    assert {c.__name__ for c in (*CONDITIONS, *STEPS, *SITES_CLAUSES)} - cases <= {Use.__name__, Do.__name__}


@pytest.mark.parametrize("made", [InEnglish, InCzech, InChinese])
def test_a_language_says_everything_that_can_be_said(made: type[Speech]):
    assert not made.__abstractmethods__
    assert dataclasses.is_dataclass(made)


@pytest.mark.parametrize("name", FOUNDING)
@pytest.mark.parametrize("language", LANGUAGES)
def test_made_sentences_keep_to_the_term_table(name: str, language: str):
    shared = terms.load(data.spec_root())
    table = terms.Table(tuple(shared.terms), language, name, shared.names, shared.nouns)
    sentences = [
        speech(game, table.lexicon).clause(part)
        for game in games_of(name)
        for part in walk(game.rules.game)
        if getattr(part, "rule", None)
    ]
    text = Text(language, "", "", {}, Source("made", "\n".join(sentences)))
    assert [f.message for f in terms.faults(text, table)] == []
    assert any(table.uses(s) for s in sentences)


# -- pages ------------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("pages")
    Site(out, FOUNDING, playouts=5).build()
    return out


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_shows_text_of_another_language_without_marking_it(pages: Path, language: str):
    found = {
        f"{p.relative_to(pages)}: {text}"
        for p in sorted((pages / language).rglob("*.html"))
        for text in foreign(p.read_text("utf-8"), language)
    }
    assert sorted(found) == []


def test_unmarked_foreign_text_is_found():
    page = '<html lang="{}"><body><p>{}</p></body></html>'
    assert list(foreign(page.format("cs", "The game is drawn when the board is full"), "cs"))
    assert list(foreign(page.format("zh", "the last piece of the player"), "zh"))
    assert list(foreign(page.format("en", "棋盘上没有空格"), "en"))
    assert not list(foreign(page.format("cs", '<span lang="en">The game is drawn when the board is full</span>'), "cs"))
    assert texts('<html lang="cs"><p title="x y">a</p></html>') == [("cs", "x y"), ("cs", "a")]


@pytest.mark.parametrize("language", ["cs", "zh"])
def test_claims_and_clauses_stand_in_the_language_of_the_page(pages: Path, language: str):
    claims = (pages / language / "wugun" / "claims.html").read_text("utf-8")
    assert {"cs": "Žádný obrazec neleží uvnitř jiného.", "zh": "没有一个图形包含在另一个图形之内。"}[language] in claims
    rules = (pages / language / "oxono" / "index.html").read_text("utf-8")
    assert said("oxono", "move.slide")[LANGUAGES.index(language)] in rules


def test_a_title_that_is_missing_in_a_language_is_a_fault_at_its_line(tmp_path: Path):
    from test_publish import copied, faults_of

    folder = copied(tmp_path, "xxung", examples_yaml=lambda t: re.sub(r',\n +cs: "První kámen smí[^"]*"', "", t))
    [fault] = faults_of(folder)
    assert (fault.code, fault.source_line.strip()[:6]) == ("untranslated", "title:")


def test_a_word_that_the_table_avoids_is_found_in_a_title(tmp_path: Path):
    from test_publish import copied, faults_of

    folder = copied(tmp_path, "xxung", examples_yaml=lambda t: t.replace("První kámen smí přijít", "První žeton smí přijít"))
    [fault] = faults_of(folder)
    assert (fault.code, fault.hint) == ("term", "say 'kámen'")
    assert fault.source_line[fault.column - 1 :].startswith("žeton")


@pytest.mark.parametrize("name", FOUNDING)
def test_every_claim_and_title_speaks_three_languages(name: str):
    facts = Facts(load(name), data.proofs_root() / name)
    assert facts.claims
    assert all(set(c["says"]) >= set(LANGUAGES) for c in facts.claims)
    assert [f.code for f in editors.faults(facts, terms.load(data.spec_root()))] == []


# -- sentences about sources and findings -----------------------------------------------------------------------------------


def teller(name: str, language: str) -> told.Teller:
    spec, shared = load(name), terms.load(data.spec_root())
    table = terms.Table(tuple(shared.terms), language, name, shared.names, shared.nouns)
    return told.Teller(table, told.of_game(spec, data.spec_root()))


@pytest.mark.parametrize("language", ["cs", "zh"])
def test_nothing_on_a_translated_page_is_in_english(pages: Path, language: str):
    also = {t.en.say for t in terms.load(data.spec_root()).terms} | {"English"}
    found = {
        f"{p.relative_to(pages)}: {text}"
        for p in sorted((pages / language).rglob("*.html"))
        for marked, text in texts(p.read_text("utf-8"))
        if marked == "en" and text not in also
    }
    assert sorted(found) == []


@pytest.mark.parametrize(
    ("english", "czech", "chinese"),
    [
        (
            "no shorter one: a solver refuted every game up to ply 12",
            "kratší není: řešič vyvrátil každou partii do půltahu 12",
            "没有更短的：求解器排除了第 12 着以内的所有对局",
        ),
        ("A corner span does not count.", "Nepočítá se: z rohu do rohu.", "不算：通天。"),
        (
            "In the phase 'moving' it is white, not black, who acts first.",
            "Ve fázi „tahy po krocích“ je první na tahu bílý, ne černý.",
            "在“走子”阶段，先走的是白方，而不是黑方。",
        ),
        (
            "proved, every reachable position (induction over 2 positions): 5x5 to 9x9 (3 boards)",
            "dokázáno, každá dosažitelná pozice (indukce přes 2 pozice): 5x5 až 9x9 (desek: 3)",
            "已证明，每个可到达的局面（对 2 个局面归纳）：5x5 至 9x9（3 种棋盘）",
        ),
    ],
)
def test_what_stands_in_a_hole_is_put_into_the_language_too(english: str, czech: str, chinese: str):
    assert [teller("wugun", language)(english) for language in LANGUAGES] == [english, czech, chinese]


def test_a_sentence_that_no_pattern_fits_stays_english_and_is_marked_and_escaped():
    said = teller("wugun", "cs")("A <b>dragon</b> does not count.")
    assert said.foreign
    assert said.__html__() == '<span lang="en">A &lt;b&gt;dragon&lt;/b&gt; does not count.</span>'
    assert not teller("wugun", "en")("A <b>dragon</b>.").foreign


def test_the_patterns_have_the_same_holes_in_every_language():
    for line in Path(told.__file__).with_name("sayings.txt").read_text("utf-8").strip().splitlines()[1:]:
        cells = line.split("] ", 1)[-1].split(" | ")
        holes = [sorted(re.findall(r"\{\w+\}", cell)) for cell in cells]
        assert len(cells) == 3, line
        assert all(set(h) <= set(holes[0]) for h in holes), line
        assert all(set(h) >= {x for x in holes[0] if x.startswith("{n")} for h in holes), line


def test_a_source_sentence_that_has_changed_is_a_fault_in_both_files(tmp_path: Path):
    from test_publish import copied, faults_of

    changed = "the board stands between the players"
    folder = copied(tmp_path, "xxung", sources_yaml=lambda t: t.replace("the board lies between the players", changed))
    found = faults_of(folder)
    assert [f.code for f in found] == ["untranslated", "untranslated", "stale-translation"]
    assert all(changed in f.source_line for f in found[:2])
    assert "the board lies between the players" in found[2].source_line


def test_a_word_that_the_table_avoids_is_found_in_a_translation(tmp_path: Path):
    from test_publish import copied, faults_of

    folder = copied(
        tmp_path, "xxung", translations_yaml=lambda t: t.replace('"přes kameny se neskáče"', '"přes žetony se neskáče"')
    )
    [fault] = faults_of(folder)
    assert (fault.code, fault.hint) == ("term", "say 'kámen'")
