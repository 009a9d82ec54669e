import { readFileSync, renameSync } from 'node:fs'
import { expect, test } from 'vitest'
import { escapeControls } from '../../src/utils/text.ts'
import { run } from '../support/cli/command.ts'
import { startServe } from '../support/cli/serve.ts'
import { temporaryFile, temporaryFolder } from '../support/files.ts'

const [esc, csi, override, isolate] = [27, 0x9b, 0x202e, 0x2066].map((code) =>
  String.fromCharCode(code),
)

/** Forges a line, moves the cursor in two ways, and turns the direction of text. */
const hostile = `a\n12:00:00 200 GET /forged\r${esc}[2J${csi}1A${override}${isolate}z`

const shown = String.raw`a\u000a12:00:00 200 GET /forged\u000d\u001b[2J\u009b1A\u202e\u2066z`

/** Ends elements and attributes of a report, and adds some. XML forbids its last characters. */
const markup = `"'></pre></title><script>alert(1)</script>]]>\r\n\t<testcase name="forged"/>\u0000\ud800\ufffe`

/** Control characters other than line breaks and colours. */
const findControls = (text: string): string[] =>
  text.replaceAll('\n', '').match(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu) ?? []

test('control characters are escaped as in JSON, and other characters stay', () => {
  expect(escapeControls(hostile)).toBe(shown)
  expect(escapeControls('🦔 ä – \u00a0"\\')).toBe('🦔 ä – \u00a0"\\')
  expect(JSON.parse(`"${escapeControls(hostile)}"`)).toBe(hostile)
})

test('labels of keys and names are escaped in the log and the start text', async () => {
  const world = temporaryFile({
    generate: {},
    organizations: [{ id: '018f2b6e-0000-7000-8000-00000000000a', name: hostile }],
    projects: [{ id: 1, name: hostile, organization: '018f2b6e-0000-7000-8000-00000000000a' }],
    users: [{ id: 1, email: 'a@example.com' }],
    keys: [{ value: 'phx_hostile', label: hostile, user: 1, scopes: ['*'] }],
  })
  const { url, stop } = await startServe(['--world', world])

  const headers = { authorization: 'Bearer phx_hostile' }
  await (await fetch(`${url}/api/projects/`, { headers })).text()
  const { stdout, stderr } = await stop('SIGTERM')

  expect([findControls(stdout), findControls(stderr)]).toEqual([[], []])
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(stderr).toContain(shown)
  expect(stdout).not.toContain('\n12:00:00')
})

test('titles, values and names of files stay text in the output of a replay and in its reports', async () => {
  const text = hostile + markup
  const step = { title: text, method: 'GET', path: '/api/x/', expect: { body: { [text]: text } } }
  const file = temporaryFile({ title: text, steps: [step] })
  const path = `${file}${csi}\n.json`
  renameSync(file, path)
  const reports = ['txt', 'xml'].map((ending) => `${temporaryFolder()}/report.${ending}`)

  const flags = reports.flatMap((report) => ['--report', report])
  const { code, stdout, stderr } = await run(['replay', path, ...flags])
  const [txt = '', xml = ''] = reports.map((report) => readFileSync(report, 'utf8'))

  expect([code, findControls(stdout + stderr + txt)]).toEqual([1, []])
  expect(stdout).toContain(`1 ${shown}`)
  expect(stdout).toContain(String.raw`\u009b\u000a.json: ${shown}`)
  expect(txt).not.toMatch(/^(?:12:00:00|\s*<testcase)/m)
  expect(xml.match(/<\w+/g)).toEqual(['<testsuites', '<testsuite', '<testcase', '<failure'])
  expect(xml).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|\]\]>/u)
  // A parser would read a line break or a tab in an attribute as a space.
  expect(xml).toContain('&#13;&#10;&#9;&lt;testcase name=&quot;forged&quot;/&gt;')
})
