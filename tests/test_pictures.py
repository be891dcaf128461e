"""The pictures of README show the present table and letter. The test needs no browser."""

from pathlib import Path

from tests import pictures

LARGEST = 150_000
"""The most bytes of a picture: README is read on phones, too."""


def test_the_pictures_show_the_present_page_and_letter(tmp_path: Path) -> None:
    assert pictures.shown(tmp_path).digests() == pictures.noted(), "take them anew: python -m tests.browser.pictures"


def test_the_pictures_are_small_and_stand_in_the_readme() -> None:
    readme = (pictures.FOLDER.parents[1] / "README.md").read_text()
    for name in pictures.noted():
        assert (pictures.FOLDER / f"{name}.png").stat().st_size <= LARGEST
        assert f"](docs/pictures/{name}.png)" in readme
