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


def send(method, url, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, HEADERS, method=method)) as response:
        return json.load(response)


class Annotations(unittest.TestCase):
    def test_a_deleted_annotation_can_be_restored(self):
        row = URL + str(send("POST", URL, {"content": "Größer 🦔"})["id"]) + "/"
        send("PATCH", row, {"deleted": True})
        with self.assertRaises(HTTPError) as missing:
            send("GET", row)
        restored = send("PATCH", row, {"deleted": False})

        self.assertEqual(missing.exception.code, 404)
        self.assertEqual(restored["content"], "Größer 🦔")
