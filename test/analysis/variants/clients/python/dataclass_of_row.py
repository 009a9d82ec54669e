"""Keeps a row in a dataclass, which accepts the documented fields only."""

from dataclasses import dataclass

from service import ANNOTATIONS, call


@dataclass
class Annotation:
    id: int
    content: str
    date_marker: str
    creation_type: str
    dashboard_item: int
    insight_short_id: str
    insight_name: str
    created_by: dict
    created_at: str
    updated_at: str
    deleted: bool
    scope: str


print(Annotation(**call("GET", f"{ANNOTATIONS}1/")))
