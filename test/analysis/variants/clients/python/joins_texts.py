"""Writes a change log of all pages: one line for each row, with its text."""

from service import ANNOTATIONS, call

lines = []
url = ANNOTATIONS
while url:
    page = call("GET", url)
    lines += [row["content"] for row in page["results"]]
    url = page["next"]
print("\n".join(lines))
