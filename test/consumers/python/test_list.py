import json
import os
import unittest
from urllib.request import Request, urlopen

URL = "{UNDERSTUDY_URL}/api/projects/{UNDERSTUDY_PROJECT_ID}/annotations/".format(**os.environ)


class List(unittest.TestCase):
    def test_lists_annotations(self):
        request = Request(URL, headers={"Authorization": "Bearer " + os.environ["UNDERSTUDY_KEY"]})
        with urlopen(request) as response:
            self.assertEqual(json.load(response)["count"], 6)
