"""Gives up after a second."""

from service import ANNOTATIONS, send

with send("GET", f"{ANNOTATIONS}1/", timeout=1) as response:
    response.read()
