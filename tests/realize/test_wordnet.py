from __future__ import annotations

from pathlib import Path

import pytest

from fergus.errors import InputError
from fergus.realize.wordnet import read_wordnet

LICENCE = "  1 This is a small database with a line of licence.  \n"
SENSES = {
    "verb": [("buy", "purchase"), ("bribe", "corrupt", "buy", "grease_one's_palms"), ("acquire", "get")],
    "noun": [("auto", "car"), ("Einstein", "genius")],
    "adj": [("big", "large"), ("galore(ip)", "abundant")],
    "adv": [("fast",)],
}


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Senses as WordNet writes them; in the index a word has them in the order of the list above."""
    for name, senses in SENSES.items():
        data, places = LICENCE, {}
        for words in senses:
            for word in words:
                places.setdefault(word.partition("(")[0].lower(), []).append(len(data))
            data += f"{len(data):08d} 40 {name[0]} {len(words):02x} {' '.join(f'{w} 0' for w in words)} 000 | gloss  \n"
        lines = [
            f"{word} {name[0]} {len(at)} 1 @ {len(at)} 1 {' '.join(f'{a:08d}' for a in at)}  \n"
            for word, at in sorted(places.items())
        ]
        (tmp_path / f"data.{name}").write_text(data, encoding="utf-8")
        (tmp_path / f"index.{name}").write_text(LICENCE + "".join(lines), encoding="utf-8")
    return tmp_path


def test_synonyms_by_sense(database: Path) -> None:
    wordnet = read_wordnet(database)
    assert wordnet.of("buy", "VERB") == ("purchase", "bribe", "corrupt")
    assert wordnet.of("Buy", "VERB") == wordnet.of("buy", "VERB")
    assert wordnet.of("genius", "NOUN") == ("Einstein",)
    assert wordnet.of("abundant", "ADJ") == ("galore",)
    assert wordnet.of("fast", "ADV") == ()


@pytest.mark.parametrize("word", ["", "a", "buyer", "bu", "zoo", "2", " ", "This", "car\n", "\ud800"])
def test_words_it_does_not_have(database: Path, word: str) -> None:
    assert read_wordnet(database).of(word, "VERB") == ()


def test_other_categories_have_none(database: Path) -> None:
    assert read_wordnet(database).of("buy", "AUX") == ()
    assert read_wordnet(database).of("buy", None) == ()


def test_every_word_is_found_without_a_last_line_break(database: Path) -> None:
    path = database / "index.verb"
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    wordnet = read_wordnet(database)
    for sense in SENSES["verb"]:
        for word in sense:
            others = {w for s in SENSES["verb"] if word in s for w in s if "_" not in w} - {word}
            assert set(wordnet.of(word, "VERB")) == others


def test_answers_are_remembered_within_bounds(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fergus.realize.wordnet._CACHE_SIZE", 1)
    wordnet = read_wordnet(database)
    assert [wordnet.of(word, "NOUN") for word in ("auto", "car", "auto")] == [("car",), ("auto",), ("car",)]


def test_what_is_no_database(database: Path) -> None:
    with pytest.raises(InputError, match=r"there is no file index\.noun in this folder; name the folder"):
        read_wordnet(database / "nowhere")
    (database / "index.adj").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be read"):
        read_wordnet(database).of("big", "ADJ")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("index.verb", "buy v 2", "buy v x"),
        ("data.verb", "licence", "license!"),
        ("data.verb", "40 v 02 buy", "40 v xx buy"),
    ],
)
def test_broken_lines(database: Path, file: str, old: str, new: str) -> None:
    path = database / file
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match="no line of WordNet at byte"):
        read_wordnet(database).of("buy", "VERB")
