import { expect, test } from 'vitest'
import * as z from 'zod'
import { allControlEndpoints } from '../../src/server/control/endpoints.ts'
import { resolveBySetting } from '../../src/settings/by-setting.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { formatIssue } from '../../src/utils/issues.ts'
import { controlPath, examples, type Mistake } from '../support/control/examples.ts'
import { start } from '../support/lanes/start.ts'

const all = allControlEndpoints.map((endpoint) => {
  const example = examples[endpoint.id]
  if (example) return { ...endpoint, example }
  throw new Error(`${endpoint.id} has no example. Add one to test/support/control/examples.ts.`)
})
const mistaken = all.flatMap((endpoint) =>
  (endpoint.example.mistakes ?? []).map((mistake: Mistake) => ({ ...endpoint, mistake })),
)
const withBody = all.filter(({ body }) => body)
const withId = all.filter(
  ({ path, errors }) =>
    path.includes(':') && resolveBySetting(errors, resolveSettings()).includes('not_found'),
)

test.each(all)(
  '$id responds to its example with its status, and with a body that matches its schema',
  async ({ example, method, path, status, response: schema, mediaType }) => {
    const client = await start()
    await example.arrange?.(client.simulator)

    const response = await client.send(method, controlPath(path, example), {
      key: null,
      ...(example.body !== undefined && { body: example.body }),
    })

    expect(response.status).toBe(status)
    if (mediaType !== undefined) {
      expect(response.headers.get('content-type')).toContain(mediaType)
      await response.body?.cancel()
      return
    }
    const text = await response.text()
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    // Parsing removes fields that the schema does not describe. There must be none.
    expect(z.parse(schema as z.ZodType, body)).toEqual(body)
  },
)

test.each(mistaken)(
  '$id reports the field $mistake.field',
  async ({ example, method, path, mistake }) => {
    const client = await start()
    const { ask, simulator } = client
    await example.arrange?.(simulator)
    const before = simulator.world.toJSON()

    const response = await client.send(method, controlPath(path, { ...example, ...mistake }), {
      key: null,
      ...(mistake.headers && { headers: { ...mistake.headers } }),
      ...(mistake.body !== undefined && { body: mistake.body }),
    })

    const { issues = [], ...body } = await response.json()
    expect([response.status, body]).toEqual([
      400,
      {
        type: 'validation_error',
        code: 'invalid_input',
        detail: expect.stringMatching(/^Failed to /),
        attr: mistake.field,
      },
    ])
    // The detail has a line for each issue.
    expect(issues.map(formatIssue)).toEqual(
      body.detail
        .split('\n')
        .slice(1)
        .map((line: string) => line.trim()),
    )
    expect(simulator.world.toJSON()).toEqual(before)
    expect((await ask('GET', '/__admin/health', { key: null })).status).toBe(200)
  },
)

test.each(withBody)(
  '$id refuses invalid JSON, and JSON of the wrong type',
  async ({ example, method, path }) => {
    const { ask, simulator } = await start()
    await example.arrange?.(simulator)
    const url = controlPath(path, example)
    const json = { 'content-type': 'application/json' }

    const broken = await ask(method, url, { key: null, raw: '{"half": ', headers: json })
    const list = await ask(method, url, { key: null, body: [] })
    const text = await ask(method, url, { key: null, body: 'word' })

    expect(broken).toMatchObject({ status: 400, body: { code: 'parse_error' } })
    expect([list, text]).toMatchObject([{ status: 400 }, { status: 400 }])
  },
)

test.each(withId)(
  '$id responds with 404 for an unknown resource',
  async ({ method, path, example }) => {
    const { ask } = await start()
    const unknown = {
      id: '9999',
      name: 'nowhere',
      value: 'phx_unknown',
      ...(path.endsWith(':list') && { list: 'nothing' }),
    }

    const response = await ask(
      method,
      controlPath(path, { ...example, params: { ...example.params, ...unknown } }),
      {
        key: null,
      },
    )

    expect(response).toEqual({
      status: 404,
      body: {
        type: 'invalid_request',
        code: 'not_found',
        detail: expect.stringMatching(/not found: (it was never|it never existed|expected one of)/),
        attr: path.match(/:(\w+)[^:]*$/)?.[1],
      },
    })
  },
)

// The response of followJournal does not end.
const ending = all.filter(({ id }) => id !== 'followJournal')

test.each(ending)('$id adds no entry to the journal', async ({ id, example, method, path }) => {
  const { ask, simulator } = await start()
  await example.arrange?.(simulator)
  const before = simulator.journal.find().length

  await ask(method, controlPath(path, example), {
    key: null,
    ...(example.body !== undefined && { body: example.body }),
  })

  expect(simulator.journal.find().length).toBe(id === 'clearJournal' ? 0 : before)
})
