"""Text on the page: nothing in it is markup, and nothing in it is hidden."""

import html

from service.visible import visible, visible_lines


def escape(text: str) -> str:
    """A line of text, whoever wrote it."""
    return html.escape(visible(text))


def escape_lines(text: str) -> str:
    """Text with lines of its own."""
    return html.escape(visible_lines(text))
