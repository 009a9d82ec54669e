import { expect, test } from 'vitest'
import { annotationsPath as annotations } from '../support/api/paths.ts'
import { run } from '../support/cli/command.ts'

test('explain prints what decided, and a request that succeeds', async () => {
  const { code, stdout, stderr } = await run(['explain', 'delete', `${annotations}1/`])

  expect([code, stderr]).toEqual([0, ''])
  await expect(stdout).toMatchFileSnapshot('./explain.outline.txt')
})

const unused = '/api/organizations/018f2b6e-0000-7000-8000-00000000000a/plugins/unused/'

test.each<[what: string, words: string[], ...shown: (string | RegExp)[]]>([
  [
    'that a path alone is a GET, and in live names a key without scopes',
    [unused, '--profile', 'live', '--key', 'all'],
    `GET ${unused}  403: only keys that need no scopes are accepted, and the key \`all\` has all scopes\n`,
    `  GET ${unused} with the key "old"\n`,
  ],
  [
    'that a URL alone is a GET, and another key than the first one',
    [`https://api.example.com${unused}`, '--profile', 'live'],
    /^GET .*\/unused\/ {2}200: .*\nThe default of --key is the key labelled old: eight operations on plugins refuse /,
  ],
  [
    'where no request is known that keeps what was meant',
    ['POST', annotations, '--body', '{"dashboard_item": 99}'],
    '\n  None is known that keeps what this one means.\n',
  ],
  [
    'what no key gets',
    ['GET', annotations, '--no-key'],
    '401: the request has no Authorization header',
    `GET ${annotations} with the key "annotation:read"`,
  ],
  [
    'what an unknown key gets',
    ['GET', `${annotations}?client_secret=planted`, '--key', 'phx_unknown'],
    'client_secret=%E2%80%A6  401: no key matches phx_u…',
    'client_secret=%E2%80%A6 with the key "annotation:read"',
  ],
])('explain says %s', async (_, words, ...shown) => {
  const { stdout } = await run(['explain', ...words])

  for (const text of shown) expect(stdout).toMatch(text)
})

test('explain sends the headers of --header', async () => {
  const type = 'Content-Type: application/x-www-form-urlencoded'
  const words = ['POST', annotations, '--profile', 'live', '--body', '{"content":"x"}']

  const { stdout } = await run(['explain', ...words, '--header', type])
  const wrong = await run(['explain', ...words, '--header', 'no header'])
  const refused = await run(['explain', ...words, '--header', 'Authorization: Bearer phx_unknown'])

  expect(stdout).toContain('looks like JSON and was read as a form')
  expect(refused.stdout).toContain('401: no key matches phx_u…')
  expect(wrong.stderr).toContain('expected a header such as "Accept: text/html", got "no header"')
})

test('explain prints at most 15 lines', async () => {
  const fields = Array.from({ length: 30 }, (_, index) => [`field_${index}`, 'x'])
  const body = JSON.stringify({ ...Object.fromEntries(fields), scope: 'projct' })

  const { stdout } = await run(['explain', 'POST', annotations, '--body', body])

  const lines = stdout.trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(15)
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}and \d+ more$/))
})

test('explain takes a key, a body, and the flags of the simulator', async () => {
  const flags = ['--key', 'phx_annotation_read', '--body', '{"scope": "projct"}', '--json']
  const setting = ['--profile', 'live', '--set', 'keys.insufficient.status=404']

  const { code, stdout } = await run(['explain', 'POST', annotations, ...flags, ...setting])

  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    status: 404,
    decided_by: { id: 'keys.insufficient.status', value: '404', evidence: 'assumed' },
    would_succeed: { key: { label: 'annotation:write' }, body: { scope: 'project' } },
  })
})

test('explain prints the beginning of the body of the response', async () => {
  const short = await run(['explain', 'DELETE', `${annotations}1/`])
  const long = await run(['explain', 'GET', annotations])
  const bodyOf = ({ stdout }: { stdout: string }) =>
    /^Response body\n {2}(.*)$/m.exec(stdout)?.[1] ?? ''

  expect(JSON.parse(bodyOf(short))).toMatchObject({ code: 'method_not_allowed' })
  expect(bodyOf(long)).toMatch(/^\{"count":\d+,.*…$/)
  expect(bodyOf(long)).toHaveLength(301)
})
