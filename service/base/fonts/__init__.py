"""The fonts of boards and pages: our own files with their licence, so that pictures are the same on every machine.

TTF is for pictures, WOFF for pages that are one file (`service.proof.bundle`) and stay as they are, and WOFF2 for the
site. WOFF2 is cut to Latin letters and signs (``RANGES``), since every first visit downloads it. Pages use the boards'
bold instead of an extra one, which saves 12 kB, and slant the names of waters, which saves 16 kB. Ligatures would cost
8 kB; the font does well without them (its f has a short hook). Each file was made once from its TTF with fontTools:
``pyftsubset X.ttf --output-file=X.woff2 --flavor=woff2 --unicodes=RANGES --layout-features=kern --no-hinting
--name-IDs=0,1,2,13,14``.
"""

from pathlib import Path

FOLDER = Path(__file__).parent
RANGES = "U+20-7E,U+A0-17F,U+2010-2026,U+2032-203A,U+20AC,U+2190-2193,U+2212"
