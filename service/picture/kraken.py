"""Draw the Kraken, which shows while its Destruction token is out."""

from service.picture.colours import Palette
from service.picture.svg import dot, path

_HEAD = "M250 276C212 262 204 196 232 168C254 146 300 146 322 168C350 196 342 262 304 276Z"
_ARMS = (
    "M226 276C190 236 178 214 186 190C190 178 204 182 202 194C198 216 226 240 254 270Z"
    "M300 270C346 244 372 232 376 204C378 190 364 188 362 200C356 224 330 238 292 262Z"
)
_LOW_ARMS = (
    "M150 627C120 596 128 560 156 548C182 538 196 560 180 570C168 576 160 566 166 560C146 570 156 600 190 627Z"
    "M360 627C400 610 412 576 392 556C376 540 352 552 362 568C370 578 380 572 377 564C392 580 380 604 330 627Z"
)
_SPOTS = ((262, 172, 6), (284, 166, 4), (302, 180, 5))
_SUCKERS = ((142, 592), (146, 576), (160, 608), (390, 596), (395, 582), (376, 610))
_EYEBALL, _PUPIL = "#fdf6d8", "#1a1020"


def behind(p: Palette) -> str:
    """Draw its head, which looks over the stern."""
    eyes = "".join(
        dot(x, 214, 13, _EYEBALL, p.line, 2) + path(f"M{x} 204Q{x + 5} 214 {x} 224Q{x - 5} 214 {x} 204Z", _PUPIL)
        for x in (258, 297)
    )
    brows = path("M242 196L270 204M313 196L286 204", "none", p.line, 4, 'stroke-linecap="round"')
    spots = "".join(dot(x, y, radius, p.kraken_light) for x, y, radius in _SPOTS)
    return path(_ARMS, p.kraken, p.line, 2) + path(_HEAD, p.kraken, p.line, 2.5) + spots + eyes + brows


def before(p: Palette) -> str:
    """Draw its arms around the keel."""
    return path(_LOW_ARMS, p.kraken, p.line, 2) + "".join(dot(x, y, 3, p.kraken_light) for x, y in _SUCKERS)
