import json
import os
import unittest
from urllib.request import Request, urlopen

URL = "{UNDERSTUDY_URL}/api/projects/{UNDERSTUDY_PROJECT_ID}/annotations/".format(**os.environ)


class Retrieve(unittest.TestCase):
    def test_retrieves_an_annotation(self):
        headers = {"Authorization": "Bearer " + os.environ["UNDERSTUDY_KEY"]}
        with urlopen(Request(URL + "1/", headers=headers)) as response:
            self.assertEqual(json.load(response)["content"], "Release 1.0")
