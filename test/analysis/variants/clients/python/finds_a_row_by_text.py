"""Uses requests: looks in the first page for the row that it named itself."""

import requests

from service import ANNOTATIONS, HEADERS

page = requests.get(ANNOTATIONS, headers=HEADERS, timeout=10).json()
found = [row for row in page["results"] if row["content"] == "Spring campaign starts"]
assert len(found) == 1, found
