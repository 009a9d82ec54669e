"""Follows only the path of next, and gives up after 50 pages."""

from urllib.parse import urlsplit

from service import ANNOTATIONS, URL, call

url = ANNOTATIONS
for _ in range(50):
    page = call("GET", url)
    if page["next"] is None:
        break
    url = URL + urlsplit(page["next"]).path
else:
    raise RuntimeError("the list does not end")
