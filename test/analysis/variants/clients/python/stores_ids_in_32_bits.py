"""Stores the id of a new row in a column of 32 bits."""

import struct

from service import ANNOTATIONS, call

row = call("POST", ANNOTATIONS, {"content": "Launch", "scope": "project"})
print(struct.pack(">i", row["id"]))
