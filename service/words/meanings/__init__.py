"""Say in a sentence what the words of the game mean, in each language: for clients that have no words of their own."""

from service.words.catalogue import Catalogue, by_language
from service.words.meanings.de import DE
from service.words.meanings.en import EN
from service.words.meanings.ru import RU

MEANINGS: dict[str, Catalogue] = by_language(en=EN, de=DE, ru=RU)  # kind → id → sentence

__all__ = ["MEANINGS"]
