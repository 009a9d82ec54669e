import { renameSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createSimulator, scenarioReport } from '../../../src/index.ts'
import { escapeControls } from '../../../src/utils/text.ts'
import { run } from '../../support/cli/command.ts'
import { startServe } from '../../support/cli/serve.ts'
import { temporaryFile } from '../../support/files.ts'

const [esc, csi, override, isolate] = [27, 0x9b, 0x202e, 0x2066].map((code) =>
  String.fromCharCode(code),
)

/** Forges a line, moves the cursor in two ways, and turns the direction of text. */
const hostile = `a\n12:00:00 200 GET /forged\r${esc}[2J${csi}1A${override}${isolate}z`

const shown = String.raw`a\u000a12:00:00 200 GET /forged\u000d\u001b[2J\u009b1A\u202e\u2066z`

/** Control characters other than line breaks and colours. */
const findControls = (text: string): string[] =>
  text.replaceAll('\n', '').match(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu) ?? []

test('control characters are escaped as in JSON, and other characters stay', () => {
  expect(escapeControls(hostile)).toBe(shown)
  expect(escapeControls('🦔 ä – \u00a0"\\')).toBe('🦔 ä – \u00a0"\\')
  expect(JSON.parse(`"${escapeControls(hostile)}"`)).toBe(hostile)
})

test('labels of keys and paths are escaped in the log', async () => {
  const world = temporaryFile(
    JSON.stringify({
      generate: {},
      organizations: [{ id: '018f2b6e-0000-7000-8000-00000000000a', name: hostile }],
      projects: [{ id: 1, name: hostile, organization: '018f2b6e-0000-7000-8000-00000000000a' }],
      users: [{ id: 1, email: 'a@example.com' }],
      keys: [{ value: 'phx_hostile', label: hostile, user: 1, scopes: ['*'] }],
    }),
  )
  const { url, stop } = await startServe(['--world', world])

  const headers = { authorization: 'Bearer phx_hostile' }
  await (await fetch(`${url}/api/projects/`, { headers })).text()
  const { stdout, stderr } = await stop('SIGTERM')

  expect([findControls(stdout), findControls(stderr)]).toEqual([[], []])
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(stderr).toContain(shown)
  expect(stdout).not.toContain('\n12:00:00')
})

const story = {
  title: hostile,
  steps: [
    {
      title: hostile,
      method: 'GET',
      path: '/api/x/',
      expect: { body: { [hostile]: `${csi}${override}` } },
    },
  ],
}

test('titles and names of files are escaped in the output of a replay', async () => {
  const file = temporaryFile(JSON.stringify(story))
  const path = `${file}${csi}\n.json`
  renameSync(file, path)

  const { code, stdout, stderr } = await run(['replay', path])

  expect([code, findControls(stdout + stderr)]).toEqual([1, []])
  expect(stdout).toContain(`1 ${shown}`)
  expect(stdout).toContain(String.raw`\u009b\u000a.json: ${shown}`)
})

test('titles and differences are escaped in a report', async () => {
  const report = scenarioReport(await createSimulator().run(story as never))

  expect(findControls(report)).toEqual([])
  expect(report).not.toContain('\n12:00:00')
})
