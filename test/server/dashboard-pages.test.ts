import { expect } from 'vitest'
import { pageHeaders } from '../../src/server/dashboard-pages.ts'
import { sendRawRequest as send } from '../support/control/raw-request.ts'
import { socketTest, start } from '../support/lanes/start.ts'

const page = '/__admin/'

socketTest(
  'the dashboard is a page that may load nothing from elsewhere (over HTTP only)',
  async () => {
    const { origin } = await start()

    const answer = await send(origin, 'GET', page, {})
    const assets = [...(answer?.text ?? '').matchAll(/(?:src|href)="(assets[^"]+)"/g)]
    const found = await Promise.all(assets.map(([, path]) => send(origin, 'GET', page + path, {})))

    expect(answer).toMatchObject({ status: 200, headers: pageHeaders })
    expect(pageHeaders).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    })
    expect(answer?.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer?.text).not.toMatch(
      /<script(?! [^>]*src)|<style| style=| on\w+=|https?:\/\/(?!www\.w3)/,
    )
    expect(assets).toHaveLength(3)
    expect(found.map((asset) => asset?.status)).toEqual([200, 200, 200])
    expect(found[2]?.headers).toMatchObject({ ...pageHeaders, 'cache-control': 'no-cache' })
  },
)

socketTest('the address without its slash leads there (over HTTP only)', async () => {
  const { origin } = await start()

  const answer = await send(origin, 'GET', '/__admin', {})

  expect([answer?.status, answer?.headers.location]).toEqual([301, page])
})

socketTest('a browser that opens the server is led there (over HTTP only)', async () => {
  const { origin } = await start()
  const bare = await start({}, { dashboard: false })
  const inReach = await start({}, { host: '0.0.0.0' })
  const typed = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

  const led = await send(origin, 'GET', '/', typed)
  const others = [
    await send(origin, 'GET', '/', { accept: '*/*' }),
    await send(origin, 'POST', '/', typed),
    await send(origin, 'GET', '/', { ...typed, 'sec-fetch-site': 'cross-site' }),
    await send(bare.origin, 'GET', '/', typed),
    await send(inReach.origin, 'GET', '/', typed),
  ]

  expect([led?.status, led?.headers.location]).toEqual([302, page])
  expect(others.map((answer) => answer?.status)).toEqual([404, 404, 404, 404, 404])
})

socketTest.each([
  {
    what: 'a link of another site',
    headers: { 'sec-fetch-site': 'cross-site' },
    got: 'a cross-site request',
  },
  {
    what: 'a page at another port',
    headers: { 'sec-fetch-site': 'same-site' },
    got: 'a same-site request',
  },
  {
    what: 'a foreign origin',
    headers: { origin: 'https://evil.test' },
    got: 'the origin https://evil.test',
  },
])('$what does not open it, and is told how (over HTTP only)', async ({ headers, got }) => {
  const { origin } = await start()

  const answers = await Promise.all(
    [page, `${page}assets/main.js`].map((path) => send(origin, 'GET', path, headers)),
  )

  for (const answer of answers) {
    expect(answer?.status).toBe(403)
    expect(answer?.text).toBe(
      `The dashboard cannot be accessed from another site, got ${got}. Type http://127.0.0.1:${new URL(origin).port}/__admin/ into the address bar, or open it from a bookmark.\n`,
    )
  }
})

socketTest('a name that points here does not open it (over HTTP only)', async () => {
  const { origin } = await start()

  const answer = await send(origin, 'GET', page, { host: 'evil.test' })

  expect([answer?.status, answer?.text]).toEqual([
    403,
    'The dashboard can be accessed from this machine only, got the host evil.test. Use localhost or 127.0.0.1.\n',
  ])
})

socketTest(
  'with a token the page opens, and asks for it before it shows anything (over HTTP only)',
  async () => {
    const { origin } = await start({}, { token: 'secret' })

    const [opened, world] = await Promise.all(
      [page, '/__admin/world'].map((path) => send(origin, 'GET', path, {})),
    )

    expect([opened?.status, world?.status]).toEqual([200, 401])
    expect(opened?.text).not.toContain('phx_')
  },
)

socketTest('off this machine it stays closed without a token (over HTTP only)', async () => {
  const { origin } = await start({}, { host: '0.0.0.0' })

  const answer = await send(origin, 'GET', page, {})

  expect([answer?.status, answer?.text]).toEqual([
    403,
    expect.stringContaining('Start the server with --token'),
  ])
})

socketTest(
  'it can be left out, and nothing beside its files is served (over HTTP only)',
  async () => {
    const without = await start({}, { dashboard: false })
    const { origin } = await start()

    const paths = [page, '/__admin', `${page}assets/main.js`]
    const left = await Promise.all(paths.map((path) => send(without.origin, 'GET', path, {})))
    const others = [`${page}assets/../../understudy.js`, `${page}assets/`, `${page}assets/none.js`]
    const beside = await Promise.all(others.map((path) => send(origin, 'GET', path, {})))

    expect(left.map((answer) => answer?.status)).toEqual([404, 404, 404])
    expect(beside.map((answer) => answer?.status)).toEqual([404, 404, 404])
  },
)
