import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import odd from '../../../fixtures/odd.json' with { type: 'json' }
import { serve } from '../../support/transports/start.ts'

const readDocument = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../src/api/${name}`, import.meta.url), 'utf8'))
const pathOf = (url: string): string => url.replace(/^http:\/\/127\.0\.0\.1:\d+/, '')

/** A document without the origin of its server, and without the values that it has for importers. */
const plain = (document: unknown): ReturnType<typeof readDocument> =>
  JSON.parse(JSON.stringify(document), (name, value) => {
    if (value?.in === 'path') delete value.schema.default
    if (value?.in === 'path') delete value.example
    const media = name === 'requestBody' ? Object.values<typeof value>(value.content) : []
    for (const each of media) each.schema = each.schema.allOf?.[0] ?? each.schema
    if (name !== 'servers') return value
    return value.map((server: { url: string }) => ({ ...server, url: pathOf(server.url) || '/' }))
  })
const documented = plain(readDocument('openapi.json'))
const live = plain(readDocument('openapi.live.json'))

test('GET /openapi.json describes the API without a key', async () => {
  const client = await serve()

  const response = await client.ask('GET', '/openapi.json', { key: null })

  expect(response.status).toBe(200)
  expect(plain(response.body)).toEqual(documented)
  const head = await client.send('HEAD', '/openapi.json', { key: null })
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(client.simulator.journal.find()).toEqual([])
})

test('the document is that of the profile that is nearest to the settings, also of a sandbox', async () => {
  const { ask, simulator } = await serve()
  simulator.sandboxes.create({ profile: 'live', settings: { 'methods.put': 'off' } })

  const own = await ask('GET', '/openapi.json', { key: null })
  const other = await ask('GET', '/__sandbox/sandbox-1/openapi.json', { key: null })

  expect([own.body, other.body].map(plain)).toEqual([documented, live])
  expect((await ask('GET', '/__sandbox/none/openapi.json', { key: null })).status).toBe(404)
})

test('GET /__admin/openapi.json describes the admin API without a token', async () => {
  const { ask, simulator } = await serve({}, { token: 'secret' })
  simulator.sandboxes.create()
  const control = readDocument('../admin/openapi.json')

  const [own, inSandbox] = await Promise.all(
    ['/__admin/openapi.json', '/__sandbox/sandbox-1/__admin/openapi.json'].map((path) =>
      ask('GET', path, { key: null }),
    ),
  )

  expect([own, inSandbox].map((reply) => plain(reply?.body))).toEqual([control, control])
})

// Postman sends the defaults of schemas, which a $ref hides, else a placeholder.
test.each([
  ['documented', 'phx_all', 'default'],
  ['documented', 'phx_all', odd],
  ['live', 'phx_all', 'default'],
  ['live', 'phx_old', 'default'],
] as const)(
  'the requests of a served document, sent in order as importers do, get what it promises: %s, key %s',
  async (profile, key, world) => {
    const { ask } = await serve({ world, profile })
    const { body } = await ask('GET', '/openapi.json', { key: null })
    const { servers, paths } = body as typeof documented
    const operations = Object.entries<typeof documented>(paths).flatMap(([path, item]) =>
      Object.entries<typeof documented>(item).map(([method, operation]) => {
        const { parameters, requestBody, responses, description } = operation
        const values = new Map(
          parameters.map((it: typeof documented) => [
            it.name,
            it.example ?? it.schema.default ?? '<integer>',
          ]),
        )
        const query = parameters.filter((it: typeof documented) => it.in === 'query')
        const search = query.map(({ name }: typeof documented) => `${name}=${values.get(name)}`)
        const url = path.replace(/\{(\w+)\}/g, (_, name) => String(values.get(name)))
        const statuses = Object.keys(responses).map(Number)
        const successes = statuses.filter((status) => status < 400)
        const isRefused =
          key === 'phx_all' && description.includes('`plugins.other.scope` = `refused`')
        const promised = isRefused ? [403] : successes.length > 0 ? successes : statuses
        const { schema } = requestBody?.content['application/json'] ?? {}
        const body = schema?.$ref ? '<string>' : schema?.default
        return { method, url: `${url}?${search.join('&')}`, promised, body }
      }),
    )

    expect(servers[0].url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(operations).toHaveLength(profile === 'live' ? 21 : 19)

    for (const { method, url, promised, body } of operations) {
      const response = await ask(method.toUpperCase(), url, { body, key })
      expect.soft(promised, `${method} ${url}`).toContain(response.status)
    }
  },
)
