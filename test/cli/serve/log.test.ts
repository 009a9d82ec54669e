import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { RequestLog } from '../../../src/cli/log.ts'
import { createSimulator } from '../../../src/index.ts'
import { withoutTimes } from '../../support/cli/output.ts'
import { startServe } from '../../support/cli/serve.ts'
import { freePort } from '../../support/free-port.ts'

const list = '/api/projects/1/annotations/'
const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }

test('each request is a line on stderr: time, status, request, duration, key and reason', async () => {
  const { url, stop } = await startServe()

  await fetch(`${url}${list}?limit=1`, { headers })
  await fetch(`${url}${list}1/`, { method: 'DELETE', headers })
  await fetch(`${url}${list}`)
  await fetch(`${url}/api/project/1/annotations?x=1`, { method: 'POST' })
  await fetch(`${url}${list}`, { headers: { authorization: 'Bearer phx_annotatoins' } })
  await fetch(`${url}${list}?serch=x&limit=many`, { headers: { ...headers, 'If-Match': '"1"' } })
  const { stderr } = await stop('SIGTERM')

  expect(stderr.split('\n')[0]).toMatch(
    /^\d\d:\d\d:\d\d 200 GET \/api\/projects\/1\/annotations\/\?limit=1 \d+(\.\d)? ms, all$/,
  )
  expect(withoutTimes(stderr).split('\n')).toEqual([
    `200 GET ${list}?limit=1, all`,
    `405 DELETE ${list}1/, all – annotations cannot be deleted; send PATCH with {"deleted": true}`,
    `401 GET ${list} – the request has no Authorization header`,
    '404 POST /api/project/1/annotations?x=1 – no operation has the path `/api/project/1/annotations` ' +
      '(nearest: POST /api/projects/:project_id/annotations; segment 2: expected projects, got project)',
    `401 GET ${list}, phx_… – no key matches phx_a…`,
    `200 GET ${list}?serch=x&limit=many, all – ignored: ?serch, did you mean search?; ` +
      'ignored: ?limit=many, an invalid value; ignored: the header If-Match',
    'mistake swallowed-delete: Annotation 1 was not deleted, and the client has not deleted it with PATCH so far. ' +
      `Send PATCH with {"deleted": true}. Annotations are never deleted for good. (entry 2: 405 DELETE ${list}1/)`,
    expect.stringMatching(
      /^note unhandled-refusal: POST was refused, and not made good so far. It got 404: no operation/,
    ),
    '',
  ])
})

test('a mistake is logged with its latest request, and with --mistakes fail serve ends with 1', async () => {
  const { url, printed, stop } = await startServe(['--mistakes', 'fail', '--fault', 'outage'])

  for (let count = 0; count < 21; count += 1) await fetch(`${url}/api/projects/`)
  await expect
    .poll(() => withoutTimes(printed().stderr))
    .toMatch(/\nmistake endless-retry: .* \(entry 21: 503 GET \/api\/projects\/.*\)\n/)

  expect((await stop('SIGTERM')).code).toBe(1)
})

test.each([
  ['print', ['mistake swallowed-delete', 'note unhandled-refusal', 'mistake local-time']],
  ['off', null],
])(
  'each of two mistakes and a note is logged, once, with --mistakes %s: %j',
  async (mode, mistakes) => {
    const { url, stop } = await startServe(['--mistakes', mode])
    const body = JSON.stringify({ content: 'Launch', date_marker: '2024-06-20T09:00:00' })

    await fetch(`${url}${list}1/`, { method: 'DELETE', headers })
    for (const id of [1, 2]) await fetch(`${url}${list}${id}/`, { method: 'PUT', headers, body })
    await fetch(`${url}${list}`, { method: 'POST', headers, body })
    const { stderr } = await stop('SIGTERM')

    expect(withoutTimes(stderr).match(/^(mistake|note) [a-z-]+/gm)).toEqual(mistakes)
  },
)

test('the log shows sandboxes, faults and unknown paths', async () => {
  const drop = { operation: 'createAnnotation', effect: { drop: true } }
  const { url, stop } = await startServe(['--fault', JSON.stringify(drop)])

  const sandbox = await fetch(`${url}/__admin/sandboxes`, { method: 'POST', headers, body: '{}' })
  const { keys } = await sandbox.json()
  await fetch(url + list, { headers: { authorization: `Bearer ${keys[0].value}` } })
  await fetch(url + list, { method: 'POST', headers, body: '{}' }).catch(() => {})
  await fetch(`${url}/__sandbox/unknown${list}`)
  await fetch(`${url}/__admin/nothing`)
  await fetch(`${url}/__admins`)
  const { stderr } = await stop('SIGTERM')

  expect(withoutTimes(stderr).split('\n')).toEqual([
    `200 GET ${list}, all, sandbox-1`,
    `no response to POST ${list}, all – the fault \`fault-1\` was applied: the connection drops before the request is carried out`,
    `404 GET /__sandbox/unknown${list} – there is no sandbox unknown`,
    '404 GET /__admin/nothing – no operation of the admin API has this path',
    '404 GET /__admins – no operation has the path `/__admins`',
    '',
  ])
})

test('the log hides a key from the time on when it is issued', async () => {
  const { url, stop } = await startServe()
  const target = `${url}${list}?limit=1&x=a-later-key`

  await fetch(target, { headers })
  const body = JSON.stringify({ value: 'a-later-key' })
  await fetch(`${url}/__admin/keys`, { method: 'POST', headers, body })
  await fetch(target, { headers })
  const { stderr } = await stop('SIGTERM')

  const lines = stderr.split('\n')
  expect(lines.map((line) => line.includes('a-later-key'))).toEqual([true, false, false])
})

test('--quiet prints the URL, whatever the port, and logs nothing', async () => {
  const port = await freePort()
  const { url, stop } = await startServe(['--quiet', '--port', `${port}`, '--mistakes', 'fail'])

  // A note fails nothing.
  await fetch(`${url}${list}1/`, { method: 'PUT', headers, body: '{}' })

  expect(url).toBe(`http://127.0.0.1:${port}`)
  expect(await stop('SIGTERM')).toEqual({ code: 0, stdout: `${url}\n`, stderr: '' })
})

test('with --quiet and --mistakes fail, serve ends with 1 for a mistake, too, and names it', async () => {
  const { url, stop } = await startServe(['--quiet', '--mistakes', 'fail'])

  await fetch(`${url}${list}1/`, { method: 'DELETE', headers })
  await fetch(`${url}${list}`, { headers })

  const stderr = expect.stringMatching(/^Client mistakes:\n {2}swallowed-delete, once: .*\n$/)
  expect(await stop('SIGTERM')).toMatchObject({ code: 1, stderr })
})

test('a limit that is reached is said once: that writes are refused, and that the journal is full', async () => {
  const lines: string[] = []
  const stderr = new Writable({ write: (text, _, done) => void done(void lines.push(`${text}`)) })
  const simulator = createSimulator({ journal: { entries: 1 } })
  const log = new RequestLog({ stderr })
  simulator.state.memory.limitHeld(-1)
  log.follow(simulator)

  for (let sent = 0; sent < 3; sent += 1) {
    await simulator.fetch(list, { method: 'POST', headers })
    log.flush()
  }

  expect(withoutTimes(lines.join('')).split('\n')).toEqual([
    expect.stringMatching(/^507 POST .*, all – Rows and rules of faults take all the memory/),
    `507 POST ${list}, all – the journal is full, and gives up its oldest requests from now on`,
    `507 POST ${list}, all`,
    '',
  ])
})

test('of a log that nobody reads, the lines after the first MiB are lost', () => {
  const unread = new Writable({ write() {} })
  const log = new RequestLog({ stderr: unread })

  for (let sent = 0; sent < 2_000; sent += 1) {
    log.notFound('GET', `/__admin/${'x'.repeat(1_000)}`)
    log.flush()
  }

  expect(unread.writableLength / 2 ** 20).toBeCloseTo(1, 2)
})
