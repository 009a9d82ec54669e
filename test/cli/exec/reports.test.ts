import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { RunReport } from '../../../src/index.ts'
import { runExec } from '../../support/cli/exec.ts'
import { shellClient } from '../../support/cli/shell-client.ts'
import { temporaryFolder } from '../../support/files.ts'
import { findJunitIssues } from '../../support/formats.ts'

test('exec writes a report in each format, and a summary', async () => {
  const folder = temporaryFolder()
  const files = ['txt', 'json', 'xml'].map((extension) => `${folder}/run.${extension}`)
  const [txt, json, xml] = files as [string, string, string]

  const { code, stderr } = await runExec([
    ...files.flatMap((file) => ['--report', file]),
    ...['--fail-on', 'swallowed-delete', '--mistakes', 'fail', '--redact', 'other, ticket'],
    ...shellClient('ask GET "$list?offset=50"; ask DELETE "$list"1/', '--ticket=abc123'),
  ])

  expect(code).toBe(1)
  expect(stderr.split('\n')).toEqual([
    'Client mistakes:',
    '  swallowed-delete: Annotation 1 was not deleted, and the client has not deleted it with PATCH so far.',
    '    entry 2: 405 DELETE /api/projects/1/annotations/1/',
    '  Send PATCH with {"deleted": true}. Annotations are never deleted for good.',
    'Requests: 2.',
    ...files.map((file) => `The report is in ${file}.`),
    expect.stringMatching(/^The run fails for swallowed-delete\. /),
    '',
  ])
  const report: RunReport = JSON.parse(readFileSync(json, 'utf8'))
  expect(report).toMatchObject({ requests: 2, mistakes: [{ rule: 'swallowed-delete' }] })
  expect(await findJunitIssues(readFileSync(xml, 'utf8'))).toEqual([])
  expect(readFileSync(xml, 'utf8')).toMatch(
    /<testsuite name="What the client did wrong, and what the run depends on" tests="\d+" failures="1" errors="0" skipped="2" /,
  )
  expect(readFileSync(txt, 'utf8')).toMatch(
    /^Settings that are assumed\nSetting +Value +Requests +Source$/m,
  )
  expect(readFileSync(txt, 'utf8')).toContain(' -- --ticket=…')
})

test('a run without requests is reported as such, and fails only with --fail-on', async () => {
  const idle = ['--', 'true']
  const file = `${temporaryFolder()}/run.json`

  const reported = await runExec(['--report', file, ...idle])
  const failed = await runExec(['--fail-on', 'assumed', ...idle])

  const message = 'The run sent no requests to the API.'
  const cure = expect.stringMatching(/^Tests with fixtures .* Another client has to read the /)
  expect(reported.code).toBe(0)
  expect(reported.stderr.split('\n')).toEqual([message, `The report is in ${file}.`, cure, ''])
  expect(failed.code).toBe(1)
  expect(failed.stderr.split('\n')).toEqual([
    message,
    'The run fails: nothing was checked for assumed.',
    cure,
    '',
  ])
})
