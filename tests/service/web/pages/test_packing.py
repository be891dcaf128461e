"""Text is compressed, and the compressed length reveals nothing."""

import gzip

import brotli
import pytest
from flask import Flask, Response

from service.people import accounts
from service.web.pages.frame import style
from service.web.shared import packing

GZIP = {"Accept-Encoding": "gzip, deflate, br"}
WORDS = "the train goes slowly " * 200


@pytest.fixture
def answers() -> Flask:
    """Return an application that compresses, with an answer of each kind."""
    app = Flask("answers")
    packing.init_app(app)
    kinds = {
        "html": Response(WORDS, mimetype="text/html"),
        "json": Response(WORDS, mimetype="application/problem+json", status=404),
        "svg": Response(WORDS, mimetype="image/svg+xml", headers={"Cache-Control": "public, immutable"}),
        "short": Response("12\n", mimetype="text/plain"),
        "png": Response(WORDS, mimetype="image/png"),
        "packed": Response(b"x" * 5000, mimetype="text/html", headers={"Content-Encoding": "br"}),
        "part": Response(WORDS, mimetype="text/html", status=206),
    }
    for name, answer in kinds.items():
        app.add_url_rule(f"/{name}", name, lambda answer=answer: answer)
    lines = [f"data: {number}\n\n" * 500 for number in range(3)]
    app.add_url_rule("/stream", "stream", lambda: Response(iter(lines), mimetype="text/html"))
    return app


@pytest.mark.parametrize("kind", ["html", "json"])
def test_text_is_compressed_for_browsers_that_accept_it(answers: Flask, kind: str):
    packed = answers.test_client().get(f"/{kind}", headers=GZIP)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data).decode() == WORDS
    assert packed.content_length == len(packed.data) < len(WORDS) / 10
    assert "Accept-Encoding" in packed.vary


@pytest.mark.parametrize(
    ("accepts", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("br", "br"),
        ("*", "br"),
        ("gzip", "gzip"),
        ("br;q=0.5, gzip", "gzip"),
        ("br;q=0, *", "gzip"),
        ("br;q=0, gzip;q=0", None),
    ],
)
def test_a_file_that_browsers_keep_is_compressed_with_brotli_if_they_accept_it(
    answers: Flask, accepts: str, encoding: str | None
):
    packed = answers.test_client().get("/svg", headers={"Accept-Encoding": accepts})
    assert packed.headers.get("Content-Encoding") == encoding
    unpack = {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}[encoding]
    assert unpack(packed.data).decode() == WORDS
    assert packed.content_length == len(packed.data)
    assert "Accept-Encoding" in packed.vary


@pytest.mark.parametrize("accepts", ["", "identity", "br", "gzip;q=0", "*;q=0"])
def test_other_browsers_get_the_text_uncompressed(answers: Flask, accepts: str):
    plain = answers.test_client().get("/html", headers={"Accept-Encoding": accepts})
    assert plain.text == WORDS
    assert "Content-Encoding" not in plain.headers
    assert "Accept-Encoding" in plain.vary  # a cache on the way keeps both apart


@pytest.mark.parametrize("kind", ["short", "png", "part", "stream"])
def test_small_and_streamed_answers_are_not_compressed(answers: Flask, kind: str):
    assert "Content-Encoding" not in answers.test_client().get(f"/{kind}", headers=GZIP).headers


def test_a_compressed_answer_is_not_compressed_again(answers: Flask):
    assert answers.test_client().get("/packed", headers=GZIP).headers["Content-Encoding"] == "br"


def test_head_has_the_headers_of_get(answers: Flask):
    asked, told = (answers.test_client().open("/html", method=method, headers=GZIP) for method in ("GET", "HEAD"))
    assert told.data == b""
    assert told.headers["Content-Encoding"] == "gzip"
    assert told.headers["Content-Length"] == asked.headers["Content-Length"]


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_page_with_text_from_another_site_is_not_compressed(answers: Flask, site: str):
    client = answers.test_client()
    assert "Content-Encoding" not in client.get("/html?guess=1", headers={**GZIP, "Sec-Fetch-Site": site}).headers
    assert "Content-Encoding" in client.get("/html", headers={**GZIP, "Sec-Fetch-Site": site}).headers
    assert "Content-Encoding" in client.get("/html?at=1", headers={**GZIP, "Sec-Fetch-Site": "same-origin"}).headers


def test_a_compressed_file_has_a_weak_etag_that_is_recognised(app: Flask):
    client = app.test_client()
    plain = client.get("/static/words.js", buffered=True)
    packed = client.get("/static/words.js", headers=GZIP, buffered=True)
    assert gzip.decompress(packed.data) == plain.data
    assert packed.headers["ETag"] == f"W/{plain.headers['ETag']}"
    for tag in (plain.headers["ETag"], packed.headers["ETag"]):
        again = client.get("/static/words.js", headers={**GZIP, "If-None-Match": tag}, buffered=True)
        assert again.status_code == 304
        assert again.headers["ETag"] == packed.headers["ETag"]
        assert again.data == b""


def test_the_token_of_a_form_differs_in_each_answer(app: Flask):
    settings = app.extensions["slowtrain"].settings
    first, second = (accounts.form_token(settings, "secret") for _ in range(2))
    assert first != second
    for token in (first, second):
        assert accounts.is_form_token(settings, "secret", token)
        assert not accounts.is_form_token(settings, "other", token)
        changed = ("A" if token[0] != "A" else "B") + token[1:]
        assert not accounts.is_form_token(settings, "secret", changed)


@pytest.mark.parametrize("given", ["", "x", "ä" * 86, "A" * 86, "A" * 85, "=", "A" * 4000])
def test_a_malformed_token_is_refused(app: Flask, given: str):
    assert not accounts.is_form_token(app.extensions["slowtrain"].settings, "secret", given)


@pytest.mark.parametrize("name", sorted(file.name for file in style.STATIC.glob("*.js")))
def test_a_script_is_served_without_indents_and_comments(app: Flask, name: str):
    lines = (line.lstrip(" ") for line in (style.STATIC / name).read_text().split("\n"))
    kept = [line for line in lines if not line.startswith("//")]
    client = app.test_client()
    served = client.get(f"/static/{name}")
    assert served.get_data(as_text=True).split("\n") == kept
    assert client.get(f"/static/{name}?v={style.digest_of(name)}").headers["Cache-Control"].endswith("immutable")


@pytest.mark.parametrize("name", ["site.css", "nothing.js", "..%2fweb.py", ".js"])
def test_no_other_file_is_served_by_its_name(app: Flask, name: str):
    assert app.test_client().get(f"/static/{name}").status_code == 404
