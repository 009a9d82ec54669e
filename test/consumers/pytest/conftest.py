import json
import os
from urllib.request import Request, urlopen

import pytest

SANDBOXES = os.environ["UNDERSTUDY_URL"] + "/__admin/sandboxes"  # set by exec


def send(method, url, body=None, headers={}):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", **headers}
    with urlopen(Request(url, data, headers, method=method)) as response:
        return json.loads(response.read() or "null")


@pytest.fixture
def sandbox(request):
    """A world of its own for each test, so that tests can run in parallel."""
    created = send("POST", SANDBOXES, {"name": request.node.nodeid, "ttl_s": 600})
    # Pass created["url"] and created["key"] to your client.
    yield created
    send("DELETE", f"{SANDBOXES}/{created['id']}")
