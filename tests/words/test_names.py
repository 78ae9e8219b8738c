"""Names in any script are taken and told as they were given; those that deceive, hide or climb are refused."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.words import clean_name, flaw_of, in_normal_form

GOOD = [
    "Ada", "O'Neill & Söhne <3", "Nguyễn Thị Ánh", "Фёдор", "李小龍", "さくら", "한글", "שלום", "مرحبا",
    "می\u200cخواهم", "क्षत्रिय", "श्री\u200dमान", "தமிழ்", "ไทย", "👩‍🚀", "👨‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽", "1️⃣", "🇩🇪",
    "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "\U0001faef", "x" * 60,
]  # fmt: skip
BAD = [
    " Ada", "Ada ", "a\nb", "a\tb", "a\x00b", "a\x1b[2Jb", "a\x85b", "a\u2028b", "a\u00a0b", "a\u200bb", "a\ufeffb",
    "a\u00adb", "\u202egnp", "a\u2066b", "a\u200fb", "\u3164", "a\u2800b", "\u200d", "a\u200d", "\u200ca", "\u0301a",
    "z" + "\u0335" * 6, "a\U000e0067\U000e007fb", "a\ue000b", "a\uffffb", "\ud800",
]  # fmt: skip


@pytest.mark.parametrize("name", GOOD, ids=ascii)
def test_a_good_name_is_shown_as_it_was_given(name: str) -> None:
    assert flaw_of(in_normal_form(name)) == ""
    assert clean_name(name) == in_normal_form(name)


@pytest.mark.parametrize("name", BAD, ids=ascii)
def test_a_name_that_can_do_harm_is_not_taken_and_is_shown_without_it(name: str) -> None:
    assert flaw_of(name)
    assert flaw_of(clean_name(name)) == ""


@given(
    st.text(
        st.characters() | st.sampled_from("a\u200c\u200d\u0301\u0335\U0001f3f4\U000e0067\U000e007f \u202e"), max_size=80
    )
)
def test_whatever_is_shown_might_have_been_given(name: str) -> None:
    shown = clean_name(name)
    assert (flaw_of(shown), len(shown) <= 60, in_normal_form(shown)) == ("", True, shown)
    assert not {unicodedata.category(each) for each in shown} & {"Cc", "Cs", "Co", "Zl", "Zp"}
