"""Make HTML of Markdown that is part of what is installed: without styles, scripts and markup of its own."""

from collections.abc import Callable
from itertools import pairwise

from markdown_it import MarkdownIt
from markupsafe import Markup


def to_html(text: str, id_of: Callable[[str], str]) -> Markup:
    """Return the text as part of a page. Headings sink by one level, as the page has a title, and have ids."""
    markdown = MarkdownIt("js-default")
    tokens = markdown.parse(text)
    for token, title in pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", id_of(title.content))
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{int(token.tag[1]) + 1}"
    html = markdown.renderer.render(tokens, markdown.options, {})
    return Markup(html.replace("<pre>", '<pre tabindex="0">'))  # a reader without a mouse scrolls long lines
