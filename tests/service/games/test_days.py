"""Days as people write them."""

from datetime import date

import pytest

from service.games.days import days_in

TODAY = date(2026, 11, 24)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("1.12.-8.12.", "2026-12-01", "2026-12-08"),
        ("1. 12. bis 8. 12. 2026", "2026-12-01", "2026-12-08"),
        ("1.12.26 - 8.1.27", "2026-12-01", "2027-01-08"),
        ("2026-12-01 to 2026-12-08.", "2026-12-01", "2026-12-08"),
        ("24.12.", "2026-12-24", "2026-12-24"),
        ("am 24.12!", "2026-12-24", "2026-12-24"),
        ("1.-8.12.", "2026-12-01", "2026-12-08"),
        ("vom 1. bis zum 8.12.", "2026-12-01", "2026-12-08"),
        ("24 Dec – 2 Jan", "2026-12-24", "2027-01-02"),
        ("from 24th December to 2nd January", "2026-12-24", "2027-01-02"),
        ("from the 24th of Dec until the 2nd of Jan", "2026-12-24", "2027-01-02"),
        ("Dec 24 - Jan 2", "2026-12-24", "2027-01-02"),
        ("December 24, 2026 through January 2, 2027", "2026-12-24", "2027-01-02"),
        ("24-28 Dec", "2026-12-24", "2026-12-28"),
        ("24–28 Sept 2027", "2027-09-24", "2027-09-28"),
        ("24. bis 28. Dezember", "2026-12-24", "2026-12-28"),
        ("24. Dezember bis 2. Januar", "2026-12-24", "2027-01-02"),
        ("3. März - 5. Mai", "2027-03-03", "2027-05-05"),
        ("3 Mär", "2027-03-03", "2027-03-03"),
        ("23 Nov - 25 Nov", "2027-11-23", "2027-11-25"),  # the 23rd was yesterday
        ("8.-1.12.", "2026-12-08", "2026-12-01"),  # the caller checks the order
    ],
)
def test_days_are_read(text: str, first: str, last: str) -> None:
    assert days_in(text, TODAY) == (date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    "text",
    [
        "", "next week", "from Monday", "24", "24-28", "24 Ju", "24 Decade", "31 Feb", "0.12.", "30.-31.2.", "Dec",
        "may 2 or 3", "1.12. 2.12. 3.12.", "about 24 Dec", "24 Dec if I may", "1 2 Dec 3 Dec", "24 Dec minus 2 Jan",
        "2 a 3 Dec", "1.12.-8.12. and I like trains",
    ],
)  # fmt: skip
def test_text_without_days_gives_none(text: str) -> None:
    assert days_in(text, TODAY) is None
