import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { RunReport } from '../../../src/index.ts'
import { temporaryFolder } from '../../support/files.ts'
import { runVitest } from './run-vitest.ts'

const runReporting = (variables: Record<string, string>) =>
  runVitest('reporting', variables, '--retry=1')

test('the reporter merges what the tests of all workers used, always the same, and fails the run by a rule', async () => {
  const folder = temporaryFolder()
  const [first, second] = [`${folder}/first.json`, `${folder}/second.json`]

  const passed = await runReporting({ REPORT: first, FAIL_ON: 'assumed' })
  const failed = await runReporting({ REPORT: second, FAIL_ON: 'assumed,swallowed-delete' })

  expect([passed.code, failed.code]).toEqual([0, 1])
  const report: RunReport = JSON.parse(readFileSync(first, 'utf8'))
  // Of a test that is retried, both attempts.
  expect(report.requests).toBe(4)
  // The tests run in the profile live.
  expect(report.settings.find(({ id }) => id === 'headers.allow')).toMatchObject({
    values: ['every_answer'],
    evidence: 'source',
  })
  expect(passed.stdout).toContain(' Requests: 4.\n')
  expect(passed.stdout).toContain(` The report is in ${first}.`)
  expect(readFileSync(first, 'utf8')).toBe(readFileSync(second, 'utf8'))
  expect(failed.stdout).toContain(' The run fails for swallowed-delete. ')
})

test('the client mistakes in tests that pass are printed once, and fail a test that says so, after its hooks', async () => {
  const { stdout, stderr } = await runVitest('mistaken')

  expect(stdout).toContain('1 failed | 6 passed (7)')
  const [printed] = stderr.split('stderr | mistaken.example.ts\n').slice(1)
  expect(printed?.split('\n\n')[0]?.split('\n')).toEqual([
    'Client mistakes:',
    '  repeated-create, 2 times in "mistaken.example.ts > saves a note", "mistaken.example.ts > saves another note": The client got no complete response for a create, and sent it again. The 2 requests created 2 rows.',
    'Notes about the client, which can be on purpose:',
    '  unread-pages, once in "mistaken.example.ts > reads the first page": The list has more rows than this page, and the client has not read the last page.',
    expect.stringMatching(
      /^simulator\.journal\.mistakes\(\) has .* test\.override\(\{ simulatorOptions: \{ mistakes: 'fail' \} \}\) fails a test with mistakes, and 'off' /,
    ),
  ])
  expect(stderr).toMatch(
    /FAIL {2}mistaken\.example\.ts > strict > erases a note\nError: Client mistakes:\n {2}swallowed-delete: /,
  )
})

test('with the reporter, mistakes are printed at the end of the run, first of all', async () => {
  const { stdout, stderr } = await runVitest('mistaken', {
    REPORT: `${temporaryFolder()}/run.json`,
  })

  const end = stdout.slice(stdout.indexOf(' Client mistakes:\n')).split('\n')
  expect(
    end.filter((line) => /^ {3}[a-z-]+[:,] /.test(line)).map((line) => line.split(/[:,]/)[0]),
  ).toEqual(['   repeated-create', '   swallowed-delete', '   unread-pages'])
  expect(end).toContain(' Requests: 10.')
  expect(stderr).not.toContain('2 times in')
})

test('a failed test prints its latest requests, and other tests print nothing', async () => {
  const { code, stdout, stderr } = await runVitest('failing')

  expect(code).toBe(1)
  expect(stdout).toContain('4 failed | 3 passed | 1 expected fail (8)')
  const printed = stderr.split(/(?:^|\n)stderr \| /).map((text) => text.trim())
  const by = (name: string) =>
    printed
      .filter((text) => text.startsWith(`failing.example.ts > ${name}\n`))
      .map((text) => text.slice(text.indexOf('\n') + 1).split('\n\n')[0])
  expect(by('a write with a key that can only read')).toEqual([
    expect.stringMatching(
      new RegExp(
        '^Requests to the simulator, the latest last:\n' +
          '  200 GET /api/projects/1/annotations/\\?limit=1, key "all"\n' +
          '  403 POST /api/projects/1/annotations/, key "annotation:read" – .*annotation:write.*$',
      ),
    ),
  ])
  for (const name of [
    'in a batch > comes second',
    'a hook restores fetch > fetch was replaced until then',
  ])
    expect
      .soft(by(name))
      .toEqual([
        expect.stringMatching(/^The journal has no requests.\nIf the client sent some to /),
      ])
  const silent = ['asks for a key that the world does not have', 'passes', 'fails as expected']
  for (const name of [...silent, 'in a batch > starts the timer']) expect.soft(by(name)).toEqual([])
})
