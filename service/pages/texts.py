"""The texts of the pages in each language. What they say about the game itself is in `service/words`.

`{…}` is filled in by the template or the script that shows the text. Texts under `script` go to the browser.
`client` has those of the playing client.
`match` has those of a match's page and of the list of matches. `rulings` has those of the page of the rules that stand
above the rulebook: `read` lists what we settled where the printed rulebooks disagree or say nothing, `pictured` what
they show in a picture alone.
"""

from service.pages.de import DE
from service.pages.en import EN
from service.pages.ru import RU
from service.words.catalogue import by_language

TEXTS = by_language(en=EN, de=DE, ru=RU)
