"""Parses a body only if its content type is application/json, without a charset."""

import json

from service import ANNOTATIONS, send

with send("GET", f"{ANNOTATIONS}1/") as response:
    if response.headers["Content-Type"] != "application/json":
        raise ValueError("this is not JSON")
    print(json.load(response)["id"])
