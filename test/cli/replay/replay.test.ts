import { readdirSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { expect, test } from 'vitest'
import type { FaultRequest } from '../../../src/simulator/faults/schema.ts'
import { run } from '../../support/cli/command.ts'
import { temporaryFolder } from '../../support/files.ts'
import { findJunitIssues } from '../../support/formats.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { root } from '../../support/root.ts'
import {
  failingStep,
  readStep,
  storyFile,
  titledStep,
  writeScenarioFile,
} from '../../support/scenarios/story.ts'

test('every scenario of the package passes, and the schema is skipped', async () => {
  const names = readdirSync(`${root}scenarios`)
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${root}scenarios/${name}`)

  const { code, stdout } = await run(['replay', ...names])

  expect(code).toBe(0)
  expect(stdout.match(/^ {2}(\d+) of \1 steps /gm)).toHaveLength(names.length - 1)
})

test('one scenario that fails ends with 1, whatever others pass', async () => {
  const [failing, passing] = [writeScenarioFile([failingStep]), writeScenarioFile([titledStep])]

  const codes = [
    (await run(['replay', failing, passing])).code,
    (await run(['replay', passing, failing])).code,
    (await run(['replay', passing, passing])).code,
  ]

  expect(codes).toEqual([1, 1, 0])
})

test('the list of steps says what each fault does', async () => {
  const slow = { operation: 'listAnnotations', effect: { delay_ms: 3000 } } as const
  const lost = { operation: 'createAnnotation', phase: 'after-commit', effect: { drop: true } }
  const file = writeScenarioFile([
    { fault: slow },
    { fault: lost as FaultRequest },
    { fault: { preset: 'flaky' } },
    { title: 'One 500', fault: { effect: { status: 500 } } },
    { clear: 'faults' },
    titledStep,
  ])

  const { stdout } = await run(['replay', file])

  expect(stdout).toBe(`${file}: A story
  ✓ 1 fault: the response is delayed by 3,000 ms
  ✓ 2 fault: the connection drops after the server handled the request
  ✓ 3 fault: flaky
  ✓ 4 One 500
  ✓ 5 clear
  ✓ 6 read <it>
  6 of 6 steps passed.
`)
})

test('the JUnit report has a case for each step, and the text is what replay prints', async () => {
  const [xml, txt] = ['xml', 'txt'].map((name) => `${temporaryFolder()}/report.${name}`) as [
    string,
    string,
  ]
  const needing = { ...readStep, path: `${readStep.path}?search={none}` }
  const file = writeScenarioFile([titledStep, { ...failingStep, save: { none: '/none' } }, needing])

  await run(['replay', file, '--report', xml, '--report', txt])

  const [whole, text] = [readFileSync(xml, 'utf8'), readFileSync(txt, 'utf8')]
  expect(text).toMatch(/^Replay: 0 of 1 scenarios passed\n\n/)
  expect(text).toContain('\n  ✗ 2 read <it>\n')
  expect(await findJunitIssues(whole)).toEqual([])
  const report = whole.replace(/ (time|timestamp|hostname)="[^"]+"/g, '')
  expect(report).toContain(
    '<testsuite name="A story" tests="3" failures="1" errors="0" skipped="1">',
  )
  expect(report).toMatch(/<testcase name="1 read &lt;it&gt;" classname="[^"]+"><\/testcase>/)
  expect(report).toMatch(
    /<testcase name="2 [^>]+><failure message="body.content, save.none" type="difference">[^<]+<\/failure><\/testcase>/,
  )
})

test('a target that only responds to the first file ends with 4, and the JUnit report has an error', async () => {
  const out = `${temporaryFolder()}/report.xml`
  const target = await startHttpServer(function (this: Server, _request, response) {
    this.close()
    response.setHeader('connection', 'close').end('{}')
  })

  const { code, stderr } = await run([
    ...['replay', writeScenarioFile([titledStep]), writeScenarioFile([titledStep])],
    ...['--target', target, '--key', 'x', '--report', out],
  ])

  expect([code, stderr]).toEqual([4, expect.stringContaining(' The request of steps[0] failed.\n')])
  expect(readFileSync(out, 'utf8')).toContain(
    'tests="1" failures="0" errors="1" skipped="0" time="0.000"',
  )
})

test('invalid files end with 2 before anything runs', async () => {
  const bad = writeScenarioFile([
    { ...titledStep, as: 5 },
    { method: 'GET', path: '/a b' },
  ])

  expect(await run(['replay', storyFile, bad])).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /^[^\n]+\n {2}steps\[0\]\.as: expected string, got 5\n {2}steps\[1\]\.path: [^\n]+\n$/,
    ),
  })
})
