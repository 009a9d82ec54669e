"""Reads created_at with strptime, which wants a fraction and a Z."""

from datetime import datetime

from service import ANNOTATIONS, call

row = call("GET", f"{ANNOTATIONS}1/")
print(datetime.strptime(row["created_at"], "%Y-%m-%dT%H:%M:%S.%fZ"))
