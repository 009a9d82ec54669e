import pytest
from test_annotations import sandbox, send


@pytest.mark.parametrize("content", ["Launch", "Größer 🦔"])
def test_a_sandbox_starts_with_the_rows_of_the_world(sandbox, content):
    headers = {"Authorization": f"Bearer {sandbox['key']}"}
    annotations = f"{sandbox['url']}/api/projects/1/annotations/"

    created = send(annotations, {"content": content}, **headers)

    assert created["content"] == content
    assert send(annotations, **headers)["count"] == 7
