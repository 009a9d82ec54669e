"""Uses requests: a session with raise_for_status, a new row, its change and its removal."""

import requests

from service import ANNOTATIONS, KEY

session = requests.Session()
session.headers["Authorization"] = f"Bearer {KEY}"


def call(method, url, **options):
    response = session.request(method, url, timeout=10, **options)
    response.raise_for_status()
    return response.json()


created = call("POST", ANNOTATIONS, json={"content": "Launch", "scope": "project"})
url = f"{ANNOTATIONS}{created['id']}/"
changed = call("PATCH", url, json={"content": "Launch at noon"})
assert changed["content"] == "Launch at noon"
call("PATCH", url, json={"deleted": True})
