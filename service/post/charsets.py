"""Charsets: from bytes to text, also if the declared charset is wrong."""

import re

_KNOWN: dict[str, tuple[str, ...]] = {
    # Python's codecs and their names in mails. No other codec is used: some of Python's are no charsets at all.
    "utf-8": ("utf8", "utf8mb4", "unicode11utf8", "xunicode20utf8", "cp65001", "unicode", "unicodefffe8"),
    "ascii": ("usascii", "ascii", "ansix341968", "default", "unknown", "unknown8bit", "xunknown", "8bit", "binary", ""),
    "cp1252": ("iso88591", "latin1", "windows1252", "cp1252", "ansi", "l1", "xansi", "isolatin1", "cp819"),
    "cp1250": ("windows1250", "cp1250"),
    "cp1251": ("windows1251", "cp1251", "win1251"),
    "cp1253": ("windows1253", "cp1253"),
    "cp1254": ("windows1254", "cp1254", "iso88599", "latin5"),
    "cp1255": ("windows1255", "cp1255"),
    "cp1256": ("windows1256", "cp1256"),
    "cp1257": ("windows1257", "cp1257"),
    "cp1258": ("windows1258", "cp1258"),
    "iso8859-2": ("iso88592", "latin2"),
    "iso8859-3": ("iso88593",),
    "iso8859-4": ("iso88594",),
    "iso8859-5": ("iso88595",),
    "iso8859-6": ("iso88596", "iso88596i", "iso88596e"),
    "iso8859-7": ("iso88597", "greek"),
    "iso8859-8": ("iso88598", "iso88598i", "iso88598e"),
    "iso8859-10": ("iso885910",),
    "iso8859-13": ("iso885913",),
    "iso8859-14": ("iso885914",),
    "iso8859-15": ("iso885915", "latin9", "latin0"),
    "iso8859-16": ("iso885916",),
    "koi8-r": ("koi8r", "koi8"),
    "koi8-u": ("koi8u",),
    "cp437": ("ibm437", "cp437"),
    "cp850": ("ibm850", "cp850"),
    "cp866": ("ibm866", "cp866"),
    "cp874": ("tis620", "windows874", "iso885911", "cp874"),
    "mac-roman": ("macintosh", "xmacroman", "macroman", "mac"),
    "gb18030": ("gb2312", "gbk", "gb18030", "cp936", "xgbk", "eucccn", "euccn", "windows936"),
    "hz": ("hzgb2312",),
    "big5hkscs": ("big5", "big5hkscs", "cp950", "xxbig5"),
    "cp949": ("ksc56011987", "euckr", "cp949", "ksc5601", "uhc", "windows949"),
    "iso2022_kr": ("iso2022kr",),
    "cp932": ("shiftjis", "sjis", "xsjis", "windows31j", "cp932", "mskanji"),
    "euc_jp": ("eucjp", "xeucjp"),
    "iso2022_jp_2": ("iso2022jp", "iso2022jp2", "iso2022jpms"),
    "utf-16": ("utf16",),
    "utf-16-le": ("utf16le",),
    "utf-16-be": ("utf16be",),
    "utf-7": ("utf7", "unicode11utf7"),
}
_CODECS = {alias: codec for codec, aliases in _KNOWN.items() for alias in aliases}
_SAY_MORE = {"gb18030", "big5hkscs", "cp949", "cp932", "euc_jp"}
"""Multi-byte encodings: text that they can decode without an error most likely uses them."""
_STATEFUL = {"hz", "iso2022_kr", "iso2022_jp_2", "utf-7", "utf-16", "utf-16-le", "utf-16-be"}
"""Encodings in which bytes that are all ASCII may mean other characters."""


def codec(name: str) -> str | None:
    """Return Python's codec for a charset's name in mails, or None if it is not allowed."""
    return _CODECS.get("".join(letter for letter in name.lower() if letter.isascii() and letter.isalnum()))


_NO_LETTER = re.compile(r"[\0-\x08\x0e-\x1f\x7f\ud800-\udfff]")
"""Control characters other than white space, and halves of surrogates, which UTF-7 can contain: not every database
stores them.
"""


def decode(data: bytes, declared: str) -> str:
    """Return the text of ``data``: as declared, but as UTF-8 if it clearly is UTF-8. It never fails.

    Undecodable bytes become "�".
    """
    return _NO_LETTER.sub("�", _decoded(data, declared))


def _decoded(data: bytes, declared: str) -> str:
    named = codec(declared)
    if named in _STATEFUL or named in _SAY_MORE:
        order = [named, "utf-8"]
    elif named in (None, "ascii", "utf-8"):
        order = ["utf-8"]
    else:
        order = ["utf-8", named]
    for one in order:
        try:
            return data.decode(one)
        except ValueError:  # includes UnicodeDecodeError
            continue
    return _guessed(data)


def _guessed(data: bytes) -> str:
    from charset_normalizer import from_bytes  # only the process that reads mail needs it

    best = from_bytes(data[:20_000]).best()
    if best is not None and codec(best.encoding) is not None:
        return data.decode(best.encoding, "replace")
    return data.decode("cp1252", "replace")
