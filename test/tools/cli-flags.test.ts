import { afterAll, expect, test, vi } from 'vitest'
import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import { type Serving, serve } from '../support/cli.ts'
import { temporaryFile } from '../support/files.ts'

// Each test starts processes, and machines are busy.
vi.setConfig({ testTimeout: 30_000 })
afterAll(() => vi.resetConfig())

const list = '/api/projects/1/annotations/'

test('--data takes a file, or a fixture by its name', async () => {
  const [first] = defaultWorld.annotations
  const file = temporaryFile({ ...defaultWorld, annotations: [{ ...first, content: 'Mine' }] })

  const mine = await ask(await serve(['serve', '--data', file]), 'GET', list)
  const empty = await ask(await serve(['--data=empty']), 'GET', list)
  const byDefault = await ask(await serve(['serve']), 'GET', list)

  expect(mine.body).toMatchObject({ count: 1, results: [{ content: 'Mine' }] })
  expect(empty.body).toMatchObject({ count: 0 })
  expect(byDefault.body).toMatchObject({ count: 6 })
})

test('a world is filled by its seed, or by --seed', async () => {
  const file = temporaryFile({ ...defaultWorld, seed: 7, generate: { annotations: 20 } })
  const pages = []
  for (const args of [[], ['--seed', '7'], ['--seed', '8']]) {
    const serving = await serve(['--data', file, '--quiet', ...args])
    pages.push(JSON.stringify((await ask(serving, 'GET', `${list}?limit=5`)).body))
  }
  const [byWorld, seven, eight] = pages.map((page) => page.replaceAll(/"next":"[^"]*"/g, ''))

  expect(byWorld).toContain('"count":')
  expect(seven).toBe(byWorld)
  expect(eight).not.toBe(byWorld)
})

test('--policy sets one policy, and may be repeated', async () => {
  const serving = await serve([
    ...['--policy', 'annotations.delete.status=404'],
    ...['--policy', 'methods.put=on', '--policy', 'limits.body=64'],
  ])

  expect((await ask(serving, 'DELETE', `${list}1/`)).status).toBe(404)
  expect((await ask(serving, 'PUT', `${list}1/`, { content: 'Put' })).status).toBe(200)
  expect((await ask(serving, 'POST', list, { content: 'x'.repeat(64) })).status).toBe(413)
})

test('--profile live answers as the live service does, but for what --policy says', async () => {
  const serving = await serve(['--profile', 'live', '--policy', 'paths.current=off'])

  expect(await ask(serving, 'DELETE', `${list}1/`)).toEqual({ status: 405, body: '' })
  expect((await ask(serving, 'GET', '/api/projects/@current/annotations/')).status).toBe(404)
})

test('--token is what the control API asks for', async () => {
  const serving = await serve(['--token', 'secret'])

  expect((await ask(serving, 'GET', '/__admin/world')).status).toBe(401)
  expect((await ask(serving, 'GET', '/__admin/world', undefined, 'secret')).status).toBe(200)
})

test('--no-cors keeps pages from reading answers, which they may by default', async () => {
  const headers = { origin: 'https://app.example.com' }
  const allowed: (string | null)[] = []
  for (const args of [[], ['--no-cors']]) {
    const { url } = await serve(args)
    const answer = await fetch(`${url}/api/nothing`, { headers })
    allowed.push(answer.headers.get('access-control-allow-origin'))
  }

  expect(allowed).toEqual(['*', null])
})

test.each([['--lane', 'msw'], ['--stock'], ['--lane', 'msw', '--stock'], ['--host', 'localhost']])(
  'it serves with %s %s %s',
  async (...args) => {
    const { url } = await serve(args.filter((arg) => typeof arg === 'string'))
    const port = new URL(url).port

    const answer = await fetch(`http://localhost:${port}${list}`, {
      headers: { authorization: 'Bearer phx_all' },
    })

    expect(await answer.json()).toMatchObject({ count: 6 })
  },
)

test('each flag has an environment variable', async () => {
  const serving = await serve([], {
    UNDERSTUDY_HOST: '127.0.0.1',
    UNDERSTUDY_DATA: 'empty',
    UNDERSTUDY_SEED: '7',
    UNDERSTUDY_PROFILE: 'live',
    UNDERSTUDY_POLICY: 'annotations.delete.status=404, paths.current=off',
    UNDERSTUDY_TOKEN: 'secret',
    UNDERSTUDY_NO_CORS: '1',
    UNDERSTUDY_LANE: 'msw',
    UNDERSTUDY_STOCK: '1',
    UNDERSTUDY_JSON: '1',
  })
  const page = await fetch(serving.url + list, {
    headers: { authorization: 'Bearer phx_all', origin: 'http://a.test' },
  })

  expect(JSON.parse(serving.printed().stdout)).toMatchObject({ url: serving.url })
  expect(await page.json()).toMatchObject({ count: 0 })
  expect(page.headers.get('access-control-allow-origin')).toBeNull()
  expect((await ask(serving, 'DELETE', `${list}1/`)).status).toBe(404)
  expect((await ask(serving, 'GET', '/api/projects/@current/annotations/')).status).toBe(404)
  expect((await ask(serving, 'OPTIONS', list)).body).toMatchObject({
    parses: expect.arrayContaining(['multipart/form-data']),
  })
  expect((await ask(serving, 'GET', '/__admin/world')).status).toBe(401)
})

test('UNDERSTUDY_QUIET prints nothing', async () => {
  const { printed } = await serve([], { UNDERSTUDY_QUIET: '1' })

  expect(printed()).toEqual({ stdout: '', stderr: '' })
})

test('a flag wins over its variable', async () => {
  const serving = await serve(
    ['--data', 'default', '--profile', 'documented', '--policy', 'methods.put=on'],
    {
      UNDERSTUDY_DATA: 'nope.json',
      UNDERSTUDY_PROFILE: 'dead',
      UNDERSTUDY_POLICY: 'annotations.delete.status=404,nothing=1',
    },
  )

  expect((await ask(serving, 'GET', list)).body).toMatchObject({ count: 6 })
  expect((await ask(serving, 'DELETE', `${list}1/`)).status).toBe(405)
  expect((await ask(serving, 'PUT', `${list}1/`, {})).status).toBe(200)
})

async function ask(
  { url }: Serving,
  method: string,
  path: string,
  body?: unknown,
  key = 'phx_all',
): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? '' : JSON.parse(text) }
}
