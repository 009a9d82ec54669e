import json
import os
from urllib.request import Request, urlopen

import pytest


def send(url, body=None, **headers):
    data = None if body is None else json.dumps(body).encode()
    return json.load(urlopen(Request(url, data, {"Content-Type": "application/json", **headers})))


@pytest.fixture  # in conftest.py, it is there for all files
def sandbox(request):
    """A world of its own for one test: its url and its key, for your client."""
    run = "Run the tests with npx ./understudy-api-0.1.0.tgz exec -- pytest"
    server = os.environ.get("UNDERSTUDY_URL") or pytest.exit(run)
    return send(f"{server}/__admin/sandboxes", {"name": request.node.nodeid, "ttl_s": 600})


def test_a_lost_response_makes_no_second_row(sandbox):
    url, key = sandbox["url"], sandbox["key"]
    send(f"{url}/__admin/faults", {"preset": "lost-create"})  # the row is stored, and the first response is lost
    with pytest.raises(OSError):  # your client here
        send(f"{url}/api/projects/1/annotations/", {"content": "Launch"}, Authorization=f"Bearer {key}")
    assert send(f"{url}/__admin/journal/mistakes") == []  # fails if the client sends the create again without listing the rows first
