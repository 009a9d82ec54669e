import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { startRecord } from '../../support/cli/record.ts'
import { startServe } from '../../support/cli/serve.ts'
import { temporaryFolder } from '../../support/files.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { createRow } from '../../support/scenarios/traffic.ts'

const annotations = '/api/projects/1/annotations/'
const inQuery = 'personal_api_key=phx_all'

const server = ['--clock', '2024-06-15T12:00:00Z', '--set', 'keys.places=header_body_query']

/** What a client sends that has secrets everywhere, and what comes back. */
async function useApi(base: string): Promise<unknown[]> {
  const seen: unknown[] = []
  const send = async (path: string, init: RequestInit = {}): Promise<{ next?: string }> => {
    const headers = { 'x-internal-token': 'canary-header', ...init.headers }
    const response = await fetch(base + path, { ...init, headers })
    const text = (await response.text()).replaceAll(base, '')
    seen.push([response.status, text])
    return JSON.parse(text)
  }
  const key = { authorization: 'Bearer phx_all' }
  const json = { 'content-type': 'application/json' }
  const post = (body: object, headers: object) =>
    send(annotations, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...headers, ...json },
    })
  await send('/api/projects/', { headers: key })
  await send('/api/projects/', { headers: { authorization: 'Bearer canary-wrong-key' } })
  await send(`/api/projects/?personal_api_key=canary-wrong-key`)
  await post({ content: 'Ask "Ann" canary@corp.test', password: 'canary-password' }, key)
  await send(`${annotations}?search=canary%40corp.test&limit=1`, { headers: key })
  await post({ content: 'Launch', personal_api_key: 'phx_all' }, {})
  const page = await send(`${annotations}?${inQuery}&limit=1`)
  await send(String(page.next))
  await send('/api/canary@corp.test/', { headers: key })
  return seen
}

test.each([[], ['--only-recorded']])(
  'a recording serves the client that was recorded, whatever was hidden: %j',
  async (...flags) => {
    const out = join(temporaryFolder(), 'story.json')
    const { url: target } = await startServe(server)
    const proxy = await startRecord(target, '--out', out, '--title', 'A story')
    const recorded = await useApi(proxy.url)
    await proxy.stop('SIGINT')
    const { url, stop } = await startServe(['--recording', out, ...flags])

    const served = await useApi(url)
    const { stderr } = await stop('SIGTERM')

    expect(readFileSync(out, 'utf8')).not.toMatch(/canary|phx_/)
    expect(served).toEqual(recorded)
    expect(stderr).not.toContain('not recorded')
    expect(stderr).not.toContain('not used')
  },
)

test('a recording of a client whose key is in the query replays where it was recorded', async () => {
  const out = join(temporaryFolder(), 'story.json')
  const { url: target } = await startServe(server)
  const proxy = await startRecord(target, '--out', out, '--title', 'A story')
  await useApi(proxy.url)
  await proxy.stop('SIGINT')

  const here = await run(['replay', out, '--target', target])
  const elsewhere = await run(['replay', out])

  expect(here).toMatchObject({ code: 0, stdout: expect.stringContaining('9 of 9 steps passed') })
  expect(elsewhere).toMatchObject({ code: 0 })
})

test('a recording of another service serves the client that was recorded, whose key only that service knows', async () => {
  const out = join(temporaryFolder(), 'story.json')
  const target = await startHttpServer(({ headers }, response) => {
    response.writeHead(headers.authorization ? 200 : 404, { 'content-type': 'application/json' })
    response.end(`{"count":${headers.authorization ? 1 : 0}}`)
  })
  const proxy = await startRecord(target, '--out', out, '--title', 'A story')
  const ask = async (base: string) => {
    const url = `${base}/api/projects/`
    const own = await fetch(url, { headers: { authorization: 'Bearer phx_canary' } })
    const inQuery = await fetch(`${url}?personal_api_key=phx_canary`)
    return [own.status, await own.text(), inQuery.status, await inQuery.text()]
  }
  const recorded = await ask(proxy.url)
  await proxy.stop('SIGINT')
  const { url } = await startServe(['--recording', out, '--only-recorded'])

  const served = await ask(url)

  expect(recorded).toEqual([200, '{"count":1}', 404, '{"count":0}'])
  expect(served).toEqual(recorded)
})

test('fallback: the client that was recorded may send other requests, and its writes are simulated', async () => {
  const out = join(temporaryFolder(), 'story.json')
  const target = await startHttpServer((_, response) => {
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ...createRow(7, 'Launch'), deleted: false }))
  })
  const proxy = await startRecord(target, '--out', out, '--title', 'A story')
  const send = (base: string, method: string, key = 'phx_canary') =>
    fetch(base + annotations, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: '{"content":"Launch"}' }),
    })
  await send(proxy.url, 'POST')
  await proxy.stop('SIGINT')
  const { url } = await startServe(['--recording', out])

  const before = await send(url, 'GET')
  const created = await send(url, 'POST')
  const after = await send(url, 'GET')
  const other = await send(url, 'GET', 'phx_other')

  expect([before.status, created.status, after.status, other.status]).toEqual([200, 201, 200, 401])
  expect([(await before.json()).count, (await after.json()).count]).toEqual([0, 1])
})
