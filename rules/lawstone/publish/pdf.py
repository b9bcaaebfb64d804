"""A game as a PDF with bookmarks, one a language. Needs the extra `pdf` (weasyprint)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lawstone.spec import Spec, Usage

if TYPE_CHECKING:
    from lawstone.publish.site import Site


def write(site: Site, spec: Spec, language: str) -> Path:
    """Write `pdf/<game>.<language>.pdf`; raises Usage where weasyprint is not installed."""
    try:
        from weasyprint import HTML  # type: ignore[import-untyped,unused-ignore]
    except (ImportError, OSError) as error:
        raise Usage(f"a PDF cannot be made here: {error}", "install `lawstone[pdf]`") from None
    target = site.out / "pdf" / f"{spec.id}.{language}.pdf"
    target.parent.mkdir(parents=True, exist_ok=True)
    HTML(string=site.print_html(spec, language), url_fetcher=_nothing).write_pdf(
        target, pdf_identifier=b"lawstone", custom_metadata=False
    )
    return target


def _nothing(url: str, *args: object, **kwargs: object) -> dict[str, object]:
    raise ValueError(f"a page to print fetches nothing, and asks for {url}")
