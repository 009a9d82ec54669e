"""Trusts that a form is refused."""

from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from service import ANNOTATIONS, HEADERS

headers = {"Authorization": HEADERS["Authorization"]}
try:
    urlopen(Request(ANNOTATIONS, urlencode({"content": "Launch"}).encode(), headers))
except HTTPError as error:
    if error.code != 415:
        raise
else:
    raise AssertionError("a form was accepted")
