"""Steps of the documentation site that MkDocs runs: its contents, files beside the docs, and the drawing library."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

MERMAID = Path(__file__).parent / "node_modules" / "mermaid" / "dist" / "mermaid.min.js"
SECTIONS = (
    ("Learn", "tutorial"),
    ("Do", "how-to"),
    ("Look up", "reference"),
    ("Understand", "explanation"),
    ("Decisions", "adr"),
)
OUTSIDE = re.compile(
    r"\[([^\]]+)\]\((?:\.\./)+(?!(?:tutorial|how-to|reference|explanation|adr|images)/)([\w./-]+)\)"
)
BESIDE = re.compile(
    r"\[([^\]]+)\]\((?!(?:tutorial|how-to|reference|explanation|adr|images)/|https?:|#)([\w./-]+)\)"
)
DRAWING = re.compile(r'<script src="[^"]*mermaid\.min\.js"></script>')


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Make the contents from the folders, so that a new page is in it."""
    docs = Path(config.docs_dir)
    contents: list[dict[str, Any]] = [{"Overview": "README.md"}]
    for title, folder in SECTIONS:
        pages = sorted((docs / folder).glob("*.md"), key=lambda page: (page.name != "README.md", page.name))
        contents.append({title: [page.relative_to(docs).as_posix() for page in pages]})
    config.nav = [*contents, {"Changes": "CHANGELOG.md"}]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the changelog, which lies beside the docs, and the drawing library."""
    changes = BESIDE.sub(
        r"\1 (`\2`)", (Path(config.docs_dir).parent / "CHANGELOG.md").read_text().replace("](docs/", "](")
    )
    files.append(File.generated(config, "CHANGELOG.md", content=changes))
    files.append(File.generated(config, "assets/mermaid.min.js", abs_src_path=str(MERMAID)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Name a file of the repository instead of linking to it: the site does not hold it."""
    return OUTSIDE.sub(r"\1 (`\2`)", markdown)


def on_post_page(output: str, **_: Any) -> str:
    """Load the drawing library, which is large, only where a page has a drawing."""
    return output if 'class="mermaid"' in output else DRAWING.sub("", output)
