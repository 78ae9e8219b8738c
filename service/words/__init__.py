"""Put the game into words: names and sentences in English, German and Russian. Ids on the wire stay as they are.

`Words("de").sentence(event, names)` tells an event. A module for each language (`en.py`, `de.py`, `ru.py`) holds all
texts in catalogues (`catalogue.py`, which the pages and the terminal use, too), `texts.py` says which there are, and
`telling.py` picks and fills them in.
"""

from service.words.languages import LANGUAGES, UnknownLanguage, choose
from service.words.people import clean_name, flaw_of, in_normal_form
from service.words.telling import Words

__all__ = ["LANGUAGES", "UnknownLanguage", "Words", "choose", "clean_name", "flaw_of", "in_normal_form"]
