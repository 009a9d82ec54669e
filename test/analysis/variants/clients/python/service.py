"""What the clients share: where the service is, and requests with urllib."""

import json
import os
from urllib.request import Request, urlopen

URL = os.environ["UNDERSTUDY_URL"]
KEY = os.environ["UNDERSTUDY_KEY"]
ANNOTATIONS = f"{URL}/api/projects/{os.environ['UNDERSTUDY_PROJECT_ID']}/annotations/"
PLUGINS = f"{URL}/api/organizations/{os.environ['UNDERSTUDY_ORGANIZATION_ID']}/plugins/"
HEADERS = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}


def send(method, url, body=None, timeout=None):
    """Returns the response. Raises HTTPError for a refusal."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(url, data, HEADERS, method=method)
    return urlopen(request, timeout=timeout) if timeout else urlopen(request)


def call(method, url, body=None):
    """Returns the body of the response."""
    with send(method, url, body) as response:
        return json.load(response)
