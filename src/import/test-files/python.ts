import { describeRows } from '../expected-rows.ts'
import type { IncidentExpectation } from '../incident.ts'
import { indentLines, python, toCode } from './source-code.ts'
import {
  clientComment,
  faultsCode,
  fileComment,
  mainKey,
  phasesComment,
  setupFields,
  type TestSource,
  writeExpectations,
} from './test-source.ts'

const { quote } = python

/** A test of pytest, whose requests go to the server of `understudy-api exec`. */
export function writePytestTest(source: TestSource): string {
  const { incident, scenario, scenarioFile } = source
  const key = mainKey(incident)
  const keyText = key === undefined ? '' : ` and the key simulator["keys"][${quote(key)}]`
  const setup = setupFields(scenario).filter((name) => name !== 'world')
  const { world = 'default' } = scenario
  const hasRows = typeof world !== 'string'
  const created = [
    ...(hasRows ? [] : [`"from": ${quote(world)}`]),
    ...setup.map((name) => `"${name}": SCENARIO["${name}"]`),
  ]
  const faults = faultsCode(incident, python, 25).map(
    (fault) => `control("POST", "/faults", ${fault})`,
  )
  const hasPhases = incident.faultsAfterCommit !== undefined
  const phases = `# ${phasesComment}\n@pytest.mark.parametrize("phase", ["before", "after-commit"])\n`
  const body = [
    ['control = simulator["control"]', ...faults],
    [
      clientComment(source, python, `with the base URL simulator["url"]${keyText}.`),
      'control("POST", "/runs", {"scenario": SCENARIO, "in_place": True})',
    ],
    [
      'assert control("GET", "/journal") != [], "No request of the client has a response."',
      ...writeExpectations(incident, python, writeExpectation),
    ],
  ]
  return `${fileComment(source, python)}
import json
import os
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

SCENARIO = json.loads(Path(__file__).with_name(${quote(scenarioFile)}).read_text("utf-8"))
SERVER = os.environ["UNDERSTUDY_URL"]  # set by npx understudy-api exec


def send(method, url, body=None):
    headers = {"Content-Type": "application/json"}
    if "UNDERSTUDY_TOKEN" in os.environ:
        headers["Authorization"] = f"Bearer {os.environ['UNDERSTUDY_TOKEN']}"
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, headers, method=method)) as response:
        text = response.read()
        return json.loads(text) if response.headers.get_content_type() == "application/json" else None


@pytest.fixture
def simulator():
    """A sandbox with the world of the scenario: its URL, its keys by their labels, and its control API."""
    sandbox = send("POST", f"{SERVER}/__admin/sandboxes", {${created.join(', ')}})

    def control(method, path, body=None):
        return send(method, f"{sandbox['url']}/__admin{path}", body)

${hasRows ? '    control("PUT", "/world", SCENARIO["world"])\n' : ''}    keys = {key["label"]: key["value"] for key in control("GET", "/keys")}
    yield {"url": sandbox["url"], "keys": keys, "control": control}
    send("DELETE", f"{SERVER}/__admin/sandboxes/{sandbox['id']}")


${hasPhases ? phases : ''}def ${functionName(incident.title)}(simulator${hasPhases ? ', phase' : ''}):
${indentLines(body.map((lines) => lines.join('\n')).join('\n\n'), '    ')}
`
}

function writeExpectation(expectation: IncidentExpectation): string {
  if ('rows' in expectation) {
    const { list, where, count } = expectation.rows
    const conditions = Object.entries(where).map(([name, value]) => {
      const isConstant = value === null || typeof value === 'boolean'
      return `row[${quote(name)}] ${isConstant ? 'is' : '=='} ${toCode(value, python)}`
    })
    const rows = `control("GET", "/world").get(${quote(list)}, [])`
    return [
      `rows = [row for row in ${rows} if ${conditions.join(' and ')}]`,
      `assert len(rows) == ${count}, ${quote(describeRows(expectation.rows))}`,
    ].join('\n')
  }
  if ('received' in expectation) {
    const received = toCode(expectation.received, python, 33)
    return [
      `result = control("POST", "/verify", ${received})`,
      'assert result["passed"], result["message"]',
    ].join('\n')
  }
  const rule = quote(expectation.no_mistake)
  return [
    `mistakes = [one for one in control("GET", "/journal/mistakes") if one["rule"] == ${rule}]`,
    'assert not mistakes, "\\n".join(f"{one[\'message\']} {one[\'cure\']}" for one in mistakes)',
  ].join('\n')
}

/** @example functionName('Create annotation: throttled') // 'test_create_annotation_throttled' */
function functionName(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? ['incident']
  const end = words.findIndex((_, index) => words.slice(0, index + 1).join('_').length > 80)
  return `test_${words.slice(0, end < 0 ? undefined : Math.max(end, 1)).join('_')}`
}
