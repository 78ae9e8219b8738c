"""The game in words: names and sentences in English, German and Russian. Ids on the wire stay as they are.

`Words("de").sentence(event, names)` tells an event. A catalogue a language (`en.py`, `de.py`, `ru.py`) holds all texts,
`texts.py` says what a catalogue has, `telling.py` picks and fills them in.
"""

from service.words.languages import LANGUAGES, UnknownLanguage, choose
from service.words.people import clean_name
from service.words.telling import Words

__all__ = ["LANGUAGES", "UnknownLanguage", "Words", "choose", "clean_name"]
