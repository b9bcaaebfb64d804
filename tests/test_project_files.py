"""What every file of the project must keep to, whatever its kind."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

MACHINE_PATH = re.compile(r"(?<![\w.~-])/(?:work|root|tmp|home|Users)/\w")
REGISTRY_HOST = re.compile(r"\b(?:pypi\.org|pythonhosted\.org|npmjs\.org|deb\.debian\.org)\b")
ADDRESS = re.compile(r"[a-z]+://[^\s\"'<>)]+")
# Names of formats that only look like addresses; nothing is fetched from them.
FORMAT_NAMES = ("http://www.w3.org/", "https://json-schema.org/")
# Code and set-up files name no address: what was read, and where, stands in spec/*/sources.yaml and in the prose.
NO_ADDRESS = re.compile(r"^(?:rules/|\.ci/|Makefile$|pyproject\.toml$|requirements\.lock$|\.pre-commit-hooks\.yaml$)")


def faults_of(name: str, text: str) -> list[str]:
    """What a file of this name and text must not say, a sentence each."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if match := MACHINE_PATH.search(line):
            found.append(f"{name}:{number}: the path {match[0]} belongs to one machine")
        if match := REGISTRY_HOST.search(line):
            found.append(f"{name}:{number}: the host {match[0]} is a setting of the reader's machine")
        if NO_ADDRESS.match(name):
            found += [
                f"{name}:{number}: {address} has no place here"
                for address in ADDRESS.findall(line)
                if not address.startswith(FORMAT_NAMES)
            ]
    return found


def project_files() -> list[Path]:
    """The files under version control, and those that would be."""
    listed = subprocess.run(
        ["git", "-c", "core.quotepath=off", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
    )
    if listed.returncode:
        pytest.skip("not a checkout: git does not list the files")
    return [file for name in listed.stdout.split("\0") if name and (file := ROOT / name).is_file()]


def test_no_file_names_a_machine_path_or_an_address_where_it_has_no_place():
    files = project_files()
    assert len(files) > 10
    found = []
    for file in files:
        name = file.relative_to(ROOT).as_posix()
        found += faults_of(name, file.read_bytes().decode("utf-8", errors="replace"))
    assert found == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("docs/a.md", "see /{}/lawstone".format("home")),
        ("docs/a.md", "from {}.org".format("pypi")),
        ("rules/lawstone/a.py", "# see https://example.org/a"),
        ("requirements.lock", "a @ file:///a.whl"),
    ],
)
def test_a_planted_path_or_address_is_found(name: str, text: str):
    assert len(faults_of(name, f"first\n{text}\n")) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("spec/a/sources.yaml", "where: https://example.org/rules"),
        ("rules/lawstone/a.py", 'XMLNS = "http://www.w3.org/2000/svg"'),
        ("docs/a.md", "draughts/checkers, #!/usr/bin/env bash"),
    ],
)
def test_citations_and_format_names_are_allowed(name: str, text: str):
    assert faults_of(name, text) == []


def test_the_lock_file_pins_every_package_with_hashes_and_says_no_address():
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    said = [line for line in lines if not line.startswith("#")]
    pins = [line for line in said if not line.startswith(" ")]
    assert pins
    assert all(re.fullmatch(r"[a-z0-9.-]+==\S+( ; .+)? \\", line) for line in pins)
    assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line) for line in said if line.startswith(" "))
