"""HMAC-SHA256, compared with the standard library's."""

import hmac
import random

import pytest

from domain.keyed import keyed, keyed_once


@pytest.mark.parametrize("length", [0, 1, 31, 32, 33, 63, 64, 65, 200])
@pytest.mark.parametrize("make", [keyed, keyed_once])
def test_keyed_hashes_equal_those_of_the_standard_library(make, length):
    dice = random.Random(length)
    for size in (0, 1, 31, 55, 64, 65, 119, 128, 1000):
        key, message = dice.randbytes(length), dice.randbytes(size)
        assert make(key, message) == hmac.digest(key, message, "sha256")
