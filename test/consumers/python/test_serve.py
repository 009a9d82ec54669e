"""A server that the script starts itself, and a sandbox in it."""
import json
import subprocess
import unittest
from urllib.request import Request, urlopen

BIN = "node_modules/.bin/understudy-api"


def ask(url, key=None, method="GET", body=None):
    headers = {"Content-Type": "application/json"}
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, headers, method=method)) as answer:
        return json.load(answer)


class Serve(unittest.TestCase):
    def setUp(self):
        command = [BIN, "serve", "--port", "0", "--json"]
        self.server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.started = json.loads(self.server.stdout.readline())

    def tearDown(self):
        self.server.terminate()
        self.assertEqual(self.server.wait(), 0)
        self.server.stdout.close()

    def test_the_key_of_a_sandbox_leads_to_a_world_of_its_own(self):
        url = self.started["url"]
        sandbox = ask(url + "/__admin/sandboxes", method="POST", body={"from": "empty"})
        path = url + "/api/projects/{}/annotations/"
        own = ask(path.format(sandbox["projects"][0]["id"]), sandbox["keys"][0]["value"])

        self.assertEqual(own["count"], 0)
        self.assertEqual(ask(path.format(1), "phx_all")["count"], 6)
