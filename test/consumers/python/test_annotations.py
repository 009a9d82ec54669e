import json
import os
import unittest
from urllib.error import HTTPError
from urllib.request import Request, urlopen

URL = "{UNDERSTUDY_URL}/api/projects/{UNDERSTUDY_PROJECT_ID}/annotations/".format(**os.environ)
HEADERS = {
    "Authorization": "Bearer " + os.environ["UNDERSTUDY_KEY"],
    "Content-Type": "application/json",
}


def ask(method, url, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, HEADERS, method=method)) as answer:
        return json.load(answer)


class Annotations(unittest.TestCase):
    def test_a_row_that_is_deleted_comes_back(self):
        row = URL + str(ask("POST", URL, {"content": "Größer 🦔"})["id"]) + "/"
        ask("PATCH", row, {"deleted": True})
        with self.assertRaises(HTTPError) as refused:
            ask("GET", row)
        restored = ask("PATCH", row, {"deleted": False})

        self.assertEqual(refused.exception.code, 404)
        self.assertEqual(restored["content"], "Größer 🦔")
