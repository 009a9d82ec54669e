import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { RunReport } from '../../../src/index.ts'
import { nodeClient } from '../../support/cli/bundles.ts'
import { run } from '../../support/cli/command.ts'
import { temporaryFolder } from '../../support/files.ts'
import { findJunitIssues } from '../../support/junit-issues.ts'

const listOnce = nodeClient(`await ask('GET', list)`)

test('exec writes a report in each format, and a summary', async () => {
  const folder = temporaryFolder()
  const files = ['html', 'json', 'xml', 'sarif'].map((extension) => `${folder}/run.${extension}`)
  const [html, json, xml, sarif] = files as [string, string, string, string]

  const { code, stderr } = await run([
    'exec',
    ...files.flatMap((file) => ['--report', file]),
    ...['--fail-on', 'swallowed-delete', '--fail-on', 'page-arithmetic'],
    ...nodeClient(`
      await ask('GET', list)
      await ask('DELETE', list + '1/')`),
  ])

  expect(code).toBe(1)
  expect(stderr.split('\n')).toEqual([
    expect.stringMatching(
      /^Requests: 2\. Exercised: 2 of \d+ operations, 2 of \d+ statuses, 9 of \d+ policies\.$/,
    ),
    'Only assumed: statuses (1), policies (annotations.delete.status, methods.put, headers.allow).',
    'Only observed: policies (annotations.deleted.visibility, annotations.list.limit.default, errors.body, lists.limit.maximum, limits.rate).',
    'Mistakes of the client:',
    '  swallowed-delete: Send PATCH with {"deleted": true}. Annotations are never deleted for good.',
    ...files.map((file) => `The report is in ${file}.`),
    expect.stringMatching(/^The run fails by swallowed-delete\. /),
    '',
  ])
  const report: RunReport = JSON.parse(readFileSync(json, 'utf8'))
  expect(report.operations.filter(({ exercised }) => exercised).map(({ name }) => name)).toEqual([
    'listAnnotations',
    'deleteAnnotation',
  ])
  expect(findJunitIssues(readFileSync(xml, 'utf8'))).toEqual([])
  expect(readFileSync(xml, 'utf8')).toMatch(
    /<testsuite name="What the run rests on" tests="\d+" failures="1" errors="0" skipped="2" /,
  )
  const { runs } = JSON.parse(readFileSync(sarif, 'utf8'))
  expect(runs[0].results).toMatchObject([
    { ruleId: 'swallowed-delete', level: expect.any(String) },
    ...Array(4).fill({ ruleId: 'assumed', ruleIndex: 0, level: 'warning' }),
    ...Array(5).fill({ ruleId: 'observed', ruleIndex: 1, level: 'note' }),
  ])
  expect(readFileSync(html, 'utf8')).toContain('<h2>Exercised and assumed</h2>')
})

test('requests to a sandbox that the command creates and deletes are reported', async () => {
  const file = `${temporaryFolder()}/run.json`

  await run([
    ...['exec', '--bundle', `${temporaryFolder()}/bundle.json`, '--report', file],
    ...nodeClient(`
      const { id, key } = await steer('POST', '/sandboxes', {})
      await ask('GET', list, null, { authorization: 'Bearer ' + key })
      await steer('DELETE', '/sandboxes/' + id)`),
  ])

  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ requests: 1, unmatched: 0 })
})

test('a run without requests is reported as such, and fails only with --fail-on', async () => {
  const idle = ['--', process.execPath, '-e', '']
  const file = `${temporaryFolder()}/run.json`

  const reported = await run(['exec', '--report', file, ...idle])
  const failed = await run(['exec', '--fail-on', 'assumed', ...idle])

  const message = 'The run sent no requests to the API.'
  expect(reported).toMatchObject({ code: 0, stderr: `${message}\nThe report is in ${file}.\n` })
  expect(failed).toMatchObject({
    code: 1,
    stderr: `${message}\nThe run fails by assumed. It sent no requests, so nothing was checked.\n`,
  })
})

test('if the command fails, its exit code stays', async () => {
  const { code } = await run([
    'exec',
    '--fail-on',
    'assumed',
    '--',
    process.execPath,
    '-e',
    'process.exit(7)',
  ])

  expect(code).toBe(7)
})

test.each([
  [
    'run.txt',
    'Failed to write a report: expected a file that ends with one of .html, .json, .xml, .sarif, got "run.txt".',
  ],
  ['none/run.html', 'Failed to write none/run.html: its folder does not exist (ENOENT).'],
])('a report to %s ends exec before the command starts', async (file, message) => {
  const started = `${temporaryFolder()}/started`
  const program = `require('node:fs').writeFileSync(${JSON.stringify(started)}, '')`

  const { code, stderr } = await run([
    'exec',
    '--report',
    file,
    '--',
    process.execPath,
    '-e',
    program,
  ])

  expect([code, existsSync(started)]).toEqual([2, false])
  expect(stderr).toContain(message)
})

test('an unknown rule ends exec before the command starts', async () => {
  const { code, stderr } = await run(['exec', '--fail-on', 'asumed', ...listOnce])

  expect(code).toBe(2)
  expect(stderr).toContain('Failed to choose what fails the run: expected one of assumed, observed')
  expect(stderr).toContain('Did you mean assumed?')
})

test('an earlier report stays if exec does not start', async () => {
  const file = `${temporaryFolder()}/run.json`
  writeFileSync(file, 'earlier')

  await run(['exec', '--report', file, '--data', 'none.json', ...listOnce])

  expect(readFileSync(file, 'utf8')).toBe('earlier')
})
