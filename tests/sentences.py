"""Draws sentences at random, for a reader who did not write them.

``python -m tests.sentences --seed WORD`` prints a hundred of each kind: texts of pages, texts of letters and refusals,
sentences of docs, and the German of all texts. The reader marks each sentence that had to be read twice. If more than
five of a hundred are marked, they are mended, and a hundred are drawn anew with another seed. The reader chooses the
seed, after the writing.
"""

import argparse
import random
import re
from collections.abc import Iterator
from pathlib import Path

from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[1]
KEYWORDS = {"Sentence": None, "Refused": (2,), "_": None, "N_": None, "say": None}
METHODS = [("**.py", "python"), ("**.html", "jinja2"), ("**.txt", "jinja2"), ("**.js", "javascript")]
ENDS = re.compile(r"(?<=[.!?:])\s+(?=[A-ZÄÖÜ“„])")
WORDS = 4
"""The fewest words of a sentence: a name or a heading needs no second look."""


def sentences(text: str) -> Iterator[str]:
    """Return the sentences of a text, each on one line. Lists of synonyms for orders are left out."""
    if " | " in text:
        return
    for sentence in ENDS.split(" ".join(text.split())):
        if len(sentence.split()) >= WORDS:
            yield sentence


def texts_of(*folders: str) -> set[str]:
    """Return the English texts in the sources below these folders."""
    found = (each for folder in folders for each in extract_from_dir(ROOT / folder, METHODS, keywords=KEYWORDS))
    return {text for _, _, text, _, _ in found if isinstance(text, str)}


def said_in(*folders: str) -> set[str]:
    """Return the sentences of these texts."""
    return {sentence for text in texts_of(*folders) for sentence in sentences(text)}


def pages() -> set[str]:
    return said_in("service/web")


def letters_and_refusals() -> set[str]:
    rooms = [f"service/{it.name}" for it in (ROOT / "service").iterdir() if it.is_dir() and it.name != "web"]
    return said_in("domain", *rooms) - pages()


def docs() -> set[str]:
    """Return the sentences of all pages of the documentation except the changelog: no code, no bad examples, and tables
    by cells.
    """
    found: set[str] = set()
    for page in [*ROOT.glob("[CRS]*.md"), *ROOT.glob("docs/**/*.md")]:
        if page.name == "CHANGELOG.md":
            continue
        text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
        text = text.partition("\n| before | after |")[0]  # of the page on language
        for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*#|]|\d+\.) ?)", text):
            for cell in block.strip(" #*-|").split(" | "):
                found.update(sentences(re.sub(r"\]\([^)]*\)", "]", cell)))
    return found


def german() -> set[str]:
    """Return the German of all texts."""
    found: set[str] = set()
    for file in sorted(ROOT.glob("[dsw]*/**/words/de.po")):
        with file.open("rb") as opened:
            texts = [it.string for it in read_po(opened, locale="de") if it.id and not it.context]
        found.update(sentence for text in texts if isinstance(text, str) for sentence in sentences(text))
    return found


KINDS = {"pages": pages, "letters": letters_and_refusals, "docs": docs, "german": german}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", required=True, help="any word, chosen by the reader")
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="[default: all]")
    parser.add_argument("--number", type=int, default=100, help="of each kind  [default: 100]")
    wanted = parser.parse_args()
    for kind in wanted.kind or KINDS:
        known = sorted(KINDS[kind]())
        drawn = random.Random(f"{kind} {wanted.seed}").sample(known, min(wanted.number, len(known)))
        print(f"\n# {kind}: {len(drawn)} of {len(known)}")
        for number, sentence in enumerate(drawn, 1):
            print(f"{number:3}. {sentence}")


if __name__ == "__main__":
    main()
