"""Values of axes, which are texts, as the numbers that they are."""

from typing import Union


def numbers(texts: list) -> list:
    """Numbers where all of them are some, or the texts as they are."""
    try:
        return [_number(text) for text in texts]
    except ValueError:
        return texts


def _number(text: str) -> Union[int, float]:
    try:
        return int(text)
    except ValueError:
        return float(text)
