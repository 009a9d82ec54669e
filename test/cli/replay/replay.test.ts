import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { temporaryFile } from '../../support/files.ts'
import { root } from '../../support/root.ts'
import {
  annotationsPath,
  failingStep,
  readStep,
  storyFile,
  writeScenarioFile,
} from '../../support/scenarios/scenario-files.ts'

test('the help shows how it is used', async () => {
  const { code, stdout } = await run(['replay', '--help'])

  expect(code).toBe(0)
  expect(stdout).toContain('Examples:\n  understudy replay scenarios/*.json')
})

test('a scenario that holds ends with 0', async () => {
  const { code, stdout, stderr } = await run(['replay', storyFile, '--until', '2'])

  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: `${storyFile}: A soft-deleted annotation disappears, and comes back
  ✓ 1 create an annotation
  ✓ 2 hard delete is refused
  2 of 2 steps as expected.
`,
    stderr: '',
  })
})

test('every story of the package holds, and their schema is none', async () => {
  const names = readdirSync(`${root}scenarios`).map((name) => `${root}scenarios/${name}`)

  const { code, stdout } = await run(['replay', ...names])

  expect(code).toBe(0)
  expect(stdout.match(/ steps as expected\./g)).toHaveLength(names.length - 1)
})

test('a difference ends with 1, and is told where it is', async () => {
  const { code, stdout } = await run(['replay', writeScenarioFile([failingStep])])

  expect(code).toBe(1)
  expect(stdout).toContain(`  ✗ 1 read <it>
      GET http://localhost/api/projects/1/annotations/1/
      body.content
        expected "Release 2.0"
        got      "Release 1.0"
`)
})

test('in the other profile what differs is named by policy', async () => {
  const { code, stdout } = await run(['replay', storyFile, '--profile', 'live', '--only', '2'])

  expect(code).toBe(1)
  expect(stdout).toContain(
    'decided by annotations.delete.status = 405_empty (observed: observed §4.5, §9.7); as expected with 405',
  )
})

test('--report prints a report on stdout, and the progress elsewhere', async () => {
  const { stdout, stderr } = await run([
    'replay',
    writeScenarioFile([readStep, failingStep]),
    '--report',
    'json',
  ])

  expect(JSON.parse(stdout)).toMatchObject([
    { accepted: false, error: null, result: { title: 'A story', held: false, steps: [{}, {}] } },
  ])
  expect(stderr).toContain('1 of 2 steps as expected, 1 differed.')
})

test('a report for continuous integration has a case for each step', async () => {
  const out = temporaryFile('')

  await run([
    'replay',
    writeScenarioFile([readStep, failingStep]),
    '--report',
    'junit',
    '--out',
    out,
  ])

  const report = readFileSync(out, 'utf8').replace(/ time="[\d.]+"/g, '')
  expect(report).toContain(
    '<testsuite name="A story" tests="2" failures="1" errors="0" skipped="0">',
  )
  expect(report).toMatch(/<testcase name="1 read &lt;it&gt;" classname="[^"]+"><\/testcase>/)
  expect(report).toMatch(
    /<testcase name="2 [^>]+><failure message="body.content" type="difference">[^<]+<\/failure><\/testcase>/,
  )
})

test('a page as a report stands alone, in light and dark', async () => {
  const out = temporaryFile('')

  await run([
    'replay',
    writeScenarioFile([readStep, failingStep]),
    '--report',
    'html',
    '--out',
    out,
  ])

  const page = readFileSync(out, 'utf8')
  expect(page).toContain('<title>Replay: 0 of 1 as expected</title>')
  expect(page).toContain('color-scheme: light dark')
  expect(page).toContain('2. read &lt;it&gt; <b>differs</b>')
  expect(page).not.toMatch(/<script|<link|src=|url\(/)
})

test('fixtures that are files are found by their name', async () => {
  const empty = { method: 'GET', path: '/api/projects/', expect: { status: 401 } }

  expect(await run(['replay', writeScenarioFile([empty], { world: 'odd' })])).toMatchObject({
    code: 0,
  })
})

test('--update accepts what was answered, and leaves the rest of the file as it is', async () => {
  const text = `{
  "title": "A story",   "world": "default",
  "steps": [
    { "as": "all", "method": "GET", "path": "${annotationsPath}1/",
      "expect": { "status": 404, "body": { "id": { "$match": "id" }, "content": "Release 2.0" } } }
  ]
}
`
  const path = temporaryFile(text)

  const { code, stdout } = await run(['replay', path, '--update'])

  expect([code, stdout]).toEqual([0, expect.stringContaining('expects now what was answered.')])
  expect(readFileSync(path, 'utf8')).toBe(
    text.replace('404', '200').replace('Release 2.0', 'Release 1.0'),
  )
  expect(await run(['replay', path])).toMatchObject({ code: 0 })
})

test('files with faults end with 2 before anything runs', async () => {
  const bad = writeScenarioFile([
    { ...readStep, as: 5 },
    { method: 'GET', path: '/{id}' },
  ])
  const cut = temporaryFile('{ "title": "A')
  const binary = temporaryFile('')
  writeFileSync(binary, new Uint8Array([0xff, 0xfe, 0x00]))

  expect(await run(['replay', storyFile, bad])).toEqual({
    code: 2,
    stdout: '',
    stderr: `Failed to replay ${bad}: it has a fault. Nothing was run.\n  steps[0].as: expected string, got 5\n`,
  })
  expect(await run(['replay', cut])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^.* is not valid JSON: line \d+, column \d+ \(.*\)\.\n$/),
  })
  expect(await run(['replay', binary])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^Failed to read .*: expected a scenario as JSON, got 3 bytes that are no text\./,
    ),
  })
  expect(await run(['replay', 'nowhere.json'])).toMatchObject({ code: 2 })
  expect(await run(['replay', writeScenarioFile([readStep], { format_version: 2 })])).toMatchObject(
    {
      code: 2,
      stderr: expect.stringContaining('format_version: expected at most 1, got 2'),
    },
  )
})
