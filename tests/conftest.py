"""What holds for all tests: nothing that an earlier run has kept is used, and nothing is kept beyond them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True, scope="session")
def _a_cache_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAWSTONE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def kept_in(tmp_path: Path) -> Path:
    """An empty folder for results."""
    return tmp_path / "kept"
