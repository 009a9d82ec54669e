import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { create, serveToCheck } from '../support/cli/checked-server.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'
import { writeScenarioFile } from '../support/scenarios/scenario-files.ts'
import { startSmallServer } from '../support/small-server.ts'

test.each(['observe', 'check'])(
  '%s without --project says which list of projects is missing, and how to name one',
  async (command) => {
    const { url } = await startSmallServer()

    const result = await run([command, '--target', url, '--key', 'phx_mine'])
    const other = await run([command, '--target', url, '--key', 'phx_mine', '--project', '7'])

    expect(result).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'The server does not respond like this API: it shows no list of projects (GET /api/projects/ returned 404), and GET /api/projects/@current/annotations/ returned 404. Name a project with --project, and an organization with --organization.\n',
    })
    expect(other).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'The server does not respond like this API: GET /api/projects/7/annotations/ returned 404. Check --target and --project.\n',
    })
  },
)

const observe = ['observe', '--key', 'phx_mine', '--project', '1', '--rate', '1000']

test('observe tells what it saw and no setting does from what it did not see', async () => {
  const { url } = await startSmallServer()
  const report = join(temporaryFolder(), 'observed.json')

  const { code, stdout } = await run([
    ...[...observe, '--target', url, '--allow-writes', '--report', report],
  ])

  expect(code).toBe(0)
  expect(stdout).toContain(`Seen, but no setting responds like it:
  The status was 204, and the values would show as 403, 404 or 405.  annotations.delete.status
  The server shows 5. The policy has 100, 1000 and none only.  lists.limit.maximum
  The server answers a form with 200, and does not change the row.  bodies.form
Not seen:
`)
  expect(stdout).toMatch(
    /^Found \d+ of \d+ policies with \d+ requests\. Seen, but no setting responds like it: 3\. .* Not seen: \d+\.$/m,
  )
  const { findings } = JSON.parse(readFileSync(report, 'utf8'))
  expect(
    findings.find(({ id }: { id: string }) => id === 'annotations.delete.status'),
  ).toMatchObject({ group: 'Seen, but no setting responds like it', server: null })
})

test('observe names each missing path in one line', async () => {
  const { url } = await startSmallServer()

  const { stdout } = await run([...observe, '--target', url])

  const lines = stdout.split('\n').filter((line) => line.includes('returns 404, in another form'))
  expect(lines.map((line) => line.split('  ')[1])).toEqual([
    'The path /api/organizations/:organization_id/plugins/ returns 404, in another form than a missing row.',
    'The path /api/projects/ returns 404, in another form than a missing row.',
    'The path /api/projects/understudy-1/annotations/ returns 404, in another form than a missing row.',
    'The path /api/projects/@current/annotations/ returns 404, in another form than a missing row.',
    'The path /api/understudy_unknown_1/ returns 404, in another form than a missing row.',
    'The path /api/projects/:project_id/annotations.json returns 404, in another form than a missing row.',
  ])
})

const check = ['check', '--key', 'phx_mine', '--project', '1', '--allow-writes']

test('check removes what it created, and names a row that it cannot know again', async () => {
  const { url, rows } = await startSmallServer()
  const list = '/api/projects/1/annotations/'
  const post = { as: 'all', method: 'POST', path: list, expect: { status: 400 } }
  const file = writeScenarioFile([
    { ...post, body: { content: ['no text'] } },
    { ...post, body: { content: 'Launch' } },
    { ...post, text: 'content=Form' },
  ])

  const { code, stdout } = await run([...check, '--target', url, file])

  expect(code).toBe(1)
  expect(stdout.split('\n').at(-2)).toBe(
    `A row may be left: ${url}${list}8/. It has other texts than the scenario sent, so it was not changed. If nobody else created it: Remove it with PATCH and {"deleted": true}.`,
  )
  expect(rows.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 8])
})

test('check lists the annotations that a server shows although they are soft-deleted', async () => {
  const { flags, url } = await serveToCheck({ 'annotations.deleted.visibility': 'listed' })
  const file = writeScenarioFile([create, create])

  const { code, stdout } = await run(['check', file, ...flags, '--allow-writes'])
  const { stdout: json } = await run(['check', file, ...flags, '--allow-writes', '--json'])

  const list = `${url}/api/projects/71/annotations/`
  expect(code).toBe(0)
  expect(stdout).toContain(`2 annotations stay in ${list}, soft-deleted: 1, 2.\n`)
  expect(JSON.parse(json)).toMatchObject({ left: [], soft_deleted: [`${list}3/`, `${list}4/`] })
})

test('check blames no other rows or time for a value that it sent, and shows a status without its body', async () => {
  const { url } = await startSmallServer()
  const post = { as: 'all', method: 'POST', path: '/api/projects/1/annotations/' }
  const file = writeScenarioFile(
    [
      {
        ...post,
        body: { content: 'Launch', date_marker: '2024-06-05T16:20:00.5+02:00' },
        expect: { status: 201, body: { date_marker: '2024-06-05T14:20:00.500000Z' } },
      },
      {
        ...post,
        body: { content: 'Launch', scope: 'team' },
        expect: { status: 400, body: { code: 'invalid_choice', attr: 'scope' } },
      },
    ],
    { clock: '2024-06-15T12:00:00Z' },
  )

  const { code, stdout } = await run([...check, '--target', url, file])

  expect(code).toBe(1)
  expect(stdout.replaceAll(url, '')).toBe(`A story
  ✗ 1 POST /api/projects/1/annotations/
      POST /api/projects/1/annotations/
      body.date_marker
        expected "2024-06-05T14:20:00.500000Z"
        got      "2024-06-05T16:20:00.5+02:00"
      No deciding policy is known: no setting makes a simulation respond like this.
      differs, and no policy explains it
  ✗ 2 POST /api/projects/1/annotations/
      POST /api/projects/1/annotations/
      status
        expected 400
        got      201
      the service responds as with policy annotations.scope.values = any (never seen; a robust client tolerates it); with may_2024 this step would pass
      is another answer that the documentation leaves open
1 step is another answer that the documentation leaves open; 1 step differs, and no policy explains it.
`)
})
