"""The letters of boards and pages: files of ours with their licence, so that pictures are alike on every machine.

TTF for pictures; WOFF for pages that are one file (`service.proof.bundle`), which stay as they are; WOFF2 for the site,
cut to the Latin letters and signs (``RANGES``), for the first visit costs them all. Pages have no extra bold: their
boards take the bold for it, which costs 12 kB less. Ligatures would cost 8 kB; the letters do well without them (an f
has a short hook). Made once of each TTF by fontTools:
``pyftsubset X.ttf --output-file=X.woff2 --flavor=woff2 --unicodes=RANGES --layout-features=kern --no-hinting
--name-IDs=0,1,2,13,14``.
"""

from pathlib import Path

FOLDER = Path(__file__).parent
RANGES = "U+20-7E,U+A0-17F,U+2010-2026,U+2032-203A,U+20AC,U+2190-2193,U+2212"
