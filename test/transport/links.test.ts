import http from 'node:http'
import { expect, test } from 'vitest'
import { acme, annotationsPath } from '../support/api/paths.ts'
import { start } from '../support/lanes/start.ts'

type Links = readonly [query: string, next: string | null, previous: string | null]

/** A query of the six annotations in project 1, and the queries of both links. */
const links: readonly Links[] = [
  ['', null, null],
  ['limit=6', null, null],
  ['limit=5', 'limit=5&offset=5', null],
  ['limit=2', 'limit=2&offset=2', null],
  ['limit=2&offset=0', 'limit=2&offset=2', null],
  ['limit=2&offset=1', 'limit=2&offset=3', 'limit=2'],
  ['limit=2&offset=2', 'limit=2&offset=4', 'limit=2'],
  ['limit=2&offset=3', 'limit=2&offset=5', 'limit=2&offset=1'],
  ['limit=2&offset=4', null, 'limit=2&offset=2'],
  ['limit=2&offset=6', null, 'limit=2&offset=4'],
  ['limit=2&offset=100', null, 'limit=2&offset=98'],
  ['offset=1', null, 'limit=1000'],
  ['limit=0&offset=2000', null, 'limit=1000&offset=1000'],
  ['limit=%2B02', 'limit=2&offset=2', null],
  ['limit=3&limit=2&offset=x', 'limit=2&offset=2', null],
  ['offset=1&offset=2&limit=2', 'limit=2&offset=4', 'limit=2'],
  ['z=1&limit=2&a=2', 'a=2&limit=2&offset=2&z=1', null],
  ['b=2&b=1&limit=2&a=', 'a=&b=2&b=1&limit=2&offset=2', null],
  ['limit=2&flag', 'flag=&limit=2&offset=2', null],
  ['limit=2&B=1&a=2&_=3', 'B=1&_=3&a=2&limit=2&offset=2', null],
  ['limit=2&q=a%20b+c%2Bd', 'limit=2&offset=2&q=a+b+c%2Bd', null],
  ['limit=2&q=%C3%A9%F0%9F%A6%94', 'limit=2&offset=2&q=%C3%A9%F0%9F%A6%94', null],
  ["limit=2&q=-._~!*'()", 'limit=2&offset=2&q=-._~%21%2A%27%28%29', null],
  ['limit=2&q=a/b:c@d,e;f', 'limit=2&offset=2&q=a%2Fb%3Ac%40d%2Ce%3Bf', null],
  ['limit=2&q=%26%3D%23', 'limit=2&offset=2&q=%26%3D%23', null],
  ['limit=2&ordering=-id', 'limit=2&offset=2&ordering=-id', null],
  ['limit=2&search=', 'limit=2&offset=2&search=', null],
  ['&&limit=2&', 'limit=2&offset=2', null],
  ['limit=2#limit=3', 'limit=2&offset=2', null],
]

test.each(links)('?%s links to ?%s and to ?%s', async (query, next, previous) => {
  const { ask, origin } = await start()
  const toUrl = (link: string | null) =>
    link === null ? null : `${origin}${annotationsPath}?${link}`

  const page = await ask('GET', `${annotationsPath}?${query}`)

  expect(page).toMatchObject({
    status: 200,
    body: { count: 6, next: toUrl(next), previous: toUrl(previous) },
  })
})

test('links repeat the path as it was requested', async () => {
  const { ask, origin } = await start()
  const plugins = `/api/organizations/${acme.toUpperCase()}/plugins`

  for (const path of [
    annotationsPath.slice(0, -1),
    annotationsPath,
    '/api/projects',
    '/api/projects/',
    plugins,
  ]) {
    const page = await ask('GET', `${path}?limit=1`)
    expect(page, path).toMatchObject({
      status: 200,
      body: { next: `${origin}${path}?limit=1&offset=1`, previous: null },
    })
  }
})

test('in the live profile links keep the suffix, the format, @current and the key in the query', async () => {
  const { ask, origin } = await start({ profile: 'live' })
  const url = '/api/projects/@current/annotations.json?personal_api_key=phx_all&limit=1&format=json'

  const page = await ask('GET', url, { key: null })

  const next = 'format=json&limit=1&offset=1&personal_api_key=phx_all'
  expect(page).toMatchObject({
    status: 200,
    body: { next: `${origin}/api/projects/@current/annotations.json?${next}`, previous: null },
  })
})

// fetch sets Host itself.
test('links name the host of the request', async () => {
  const { origin } = await start()
  const body = await new Promise<string>((resolve, reject) => {
    const headers = { host: 'api.example.test:8080', authorization: 'Bearer phx_all' }
    const request = http.get(
      `${origin}${annotationsPath}?limit=1`,
      { headers },
      async (response) => {
        resolve((await response.setEncoding('utf8').toArray()).join(''))
      },
    )
    request.on('error', reject)
  })

  expect(JSON.parse(body)).toMatchObject({
    next: `http://api.example.test:8080${annotationsPath}?limit=1&offset=1`,
  })
})
