"""A pytest plugin: `pytest --lawstone SUITE` collects the vectors of a suite as tests of an engine.

The engine is the hook `pytest_lawstone_engine` of a conftest.py, from a request (see docs/protocol.md) to an answer, or a command
given with `--lawstone-command`.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from lawstone.cases.vector import Suite, Vector


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("lawstone", "rules of board games")
    group.addoption(
        "--lawstone", action="append", default=[], metavar="SUITE", help="test an engine against a suite; may be repeated"
    )
    group.addoption(
        "--lawstone-command",
        default="",
        metavar="COMMAND",
        help="the engine as a command; unsaid, `pytest_lawstone_engine` of conftest.py",
    )


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """The hook by which a conftest.py gives its engine."""
    pluginmanager.add_hookspecs(Hooks)


class Hooks:
    """What a conftest.py may define."""

    @pytest.hookspec(firstresult=True)
    def pytest_lawstone_engine(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """The engine's answer to a request."""


def pytest_collection(session: pytest.Session) -> None:
    """A suite that cannot be read is an error of the command line."""
    for name in session.config.getoption("--lawstone"):
        if not Path(name).is_file():
            raise pytest.UsageError(f"--lawstone: there is no file {name}")


def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add an item for each vector."""
    for name in config.getoption("--lawstone"):
        file = SuiteFile.from_parent(session, path=Path(name).resolve())
        items.extend(file.collect())


class SuiteFile(pytest.File):
    """A suite as a collector."""

    def collect(self) -> Iterator[VectorItem]:
        """The vectors."""
        from lawstone.cases.vector import read_suite

        suite = read_suite(self.path)
        for vector in suite.vectors:
            asked = f"{vector.id} {vector.ask}{' ' + vector.move if vector.move else ''}"
            yield VectorItem.from_parent(self, name=asked, suite=suite, vector=vector)


class Wrong(Exception):
    """An answer that is not the right one."""


class VectorItem(pytest.Item):
    """One vector as a test."""

    def __init__(self, *, suite: Suite, vector: Vector, **more: Any) -> None:
        super().__init__(**more)
        self.suite, self.vector = suite, vector

    def runtest(self) -> None:
        """Ask the engine and judge its answer."""
        from lawstone.cases.conform import explained, judge
        from lawstone.cases.protocol import request

        result = judge(self.vector, _asking(self.config)(request(self.suite, self.vector)))
        if result.verdict == "not supported":
            pytest.skip("the engine does not support this question")
        if result.verdict == "unspecified":
            pytest.skip(f"an open question, answered as {result.reading or 'no reading does'}")
        if result.verdict != "right":
            raise Wrong(explained(result))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The board and the rule instead of a traceback."""
        return str(excinfo.value) if isinstance(excinfo.value, Wrong) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where it stands."""
        return self.path, None, self.name


_KEY: pytest.StashKey[Any] = pytest.StashKey()


def _asking(config: pytest.Config) -> Callable[[dict[str, Any]], Any]:
    from lawstone.cases.protocol import Program, Reply

    if _KEY in config.stash:
        found: Callable[[dict[str, Any]], Any] = config.stash[_KEY]
        return found
    command = config.getoption("--lawstone-command")
    if command:
        program = Program(shlex.split(command))
        config.add_cleanup(program.stop)
        config.stash[_KEY] = program.ask
        return program.ask

    def ask(message: dict[str, Any]) -> Any:
        answer = config.hook.pytest_lawstone_engine(request=message)
        if answer is None:
            raise pytest.UsageError(
                "give the engine: --lawstone-command, or a function `pytest_lawstone_engine(request)` in conftest.py"
            )
        return Reply(answer)

    config.stash[_KEY] = ask
    return ask
