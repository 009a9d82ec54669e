"""Writes a change log of all pages. It tolerates rows without text, time or author."""

from service import ANNOTATIONS, call

lines = []
url = f"{ANNOTATIONS}?limit=2"
while url:
    page = call("GET", url)
    for row in page["results"]:
        author = (row.get("created_by") or {}).get("first_name") or "somebody"
        lines.append(f"{row.get('date_marker') or 'no date'} {row.get('content') or ''} {author}")
    url = page["next"]
print("\n".join(sorted(set(lines))))
