import json
from urllib.request import Request, urlopen

import pytest


def send(method, url, body, headers):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", **headers}
    return json.load(urlopen(Request(url, data, headers, method=method)))


@pytest.mark.parametrize("content", ["Launch", "Größer 🦔"])
def test_a_sandbox_starts_with_the_rows_of_the_world(sandbox, content):
    headers = {"Authorization": f"Bearer {sandbox['key']}"}
    annotations = f"{sandbox['url']}/api/projects/1/annotations/"

    created = send("POST", annotations, {"content": content}, headers)

    assert created["content"] == content
    assert send("GET", annotations, None, headers)["count"] == 7
