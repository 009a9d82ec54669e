import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/files.ts'
import { runVitest } from './run-vitest.ts'

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
