"""Reads as many bytes as Content-Length says."""

import json

from service import ANNOTATIONS, send

with send("GET", f"{ANNOTATIONS}1/") as response:
    print(json.loads(response.read(int(response.headers["Content-Length"])))["id"])
