import json
import os
from urllib.request import Request, urlopen

import pytest

SANDBOXES = os.environ["UNDERSTUDY_URL"] + "/__admin/sandboxes"


def send(method, url, key=None, body=None):
    headers = {"Content-Type": "application/json"}
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, headers, method=method)) as response:
        return json.loads(response.read() or "null")


@pytest.fixture
def sandbox():
    """A world of its own for each test, so that tests can run in parallel."""
    created = send("POST", SANDBOXES, body={"from": "default"})
    yield created
    send("DELETE", f"{SANDBOXES}/{created['id']}")


@pytest.mark.parametrize("content", ["Launch", "Größer 🦔"])
def test_a_sandbox_starts_with_the_rows_of_the_world(sandbox, content):
    key = sandbox["key"]
    annotations = f"{sandbox['url']}/api/projects/{sandbox['projects'][0]['id']}/annotations/"

    created = send("POST", annotations, key, {"content": content})

    assert created["content"] == content
    assert send("GET", annotations, key)["count"] == 7
