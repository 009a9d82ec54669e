import { expect, test } from 'vitest'
import document from '../../src/admin/openapi.json' with { type: 'json' }
import { formatIssue } from '../../src/utils/errors.ts'
import { adminPath, type Example, type Mistake, operations } from '../admin/examples.ts'
import { serve } from '../support/transports/start.ts'
import { createChecker, receive } from './described-responses.ts'

const mistaken = operations.flatMap((operation) =>
  (operation.example.mistakes ?? []).map((mistake: Mistake) => ({ ...operation, mistake })),
)
const withBody = operations.filter(({ hasBody }) => hasBody)
const withId = operations.filter(({ path }) => /:(?:id|name|value)/.test(path))

const findProblem = createChecker(document)
const paths: Readonly<Record<string, Readonly<Record<string, { operationId: string }>>>> =
  document.paths

/** Serves a simulator, and prepares it for an example. */
async function open({ arrange }: Example) {
  const client = await serve()
  await arrange?.(client.simulator)
  return client
}

test.each(operations)(
  '$line responds to its example as documented',
  async ({ example, method, path, line }) => {
    const client = await open(example)
    const { journal } = client.simulator
    const entries = journal.find().length

    const { body } = example
    const response = await client.send(method, adminPath(path, example), { key: null, body })

    if (line === 'GET /journal/events') {
      expect(response.headers.get('content-type')).toBe('text/event-stream')
      await response.body?.cancel()
      return
    }
    const { operationId = '' } =
      paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] ?? {}
    const received = await receive(response)
    expect(received.status).toBeLessThan(300)
    expect(findProblem(operationId, received)).toBeNull()
    // The journal is about requests to the API.
    const left = line === 'DELETE /journal' ? 0 : entries
    expect(journal.find()).toHaveLength(left)
  },
)

test.each(mistaken)(
  '$line reports the field $mistake.field',
  async ({ example, method, path, mistake }) => {
    const { admin, simulator } = await open(example)
    const before = simulator.world.toJSON()

    const reply = await admin(method, adminPath(path, { ...example, ...mistake }), {
      body: mistake.body,
      headers: { ...mistake.headers },
    })

    const { issues = [], ...body } = Object(reply.body)
    expect([reply.status, body]).toEqual([
      400,
      {
        type: 'validation_error',
        code: 'invalid_input',
        detail: expect.stringMatching(/^Failed to /),
        attr: mistake.field,
      },
    ])
    // The detail has a line for each issue, or is one line.
    const [, ...lines] = body.detail.split('\n').map((line: string) => line.trim())
    const whole = lines.length > 0 ? lines : [expect.anything()]
    expect(issues.map(formatIssue)).toEqual(whole)
    expect(body.detail).toContain(issues[0].text)
    expect(issues[0].path).toEqual(mistake.path ?? expect.any(Array))
    expect(simulator.world.toJSON()).toEqual(before)
    expect((await admin('GET', '/__admin/health')).status).toBe(200)
  },
)

test.each(withBody)(
  '$line refuses invalid JSON, JSON of the wrong type and a field that it does not take, and changes nothing',
  async ({ example, method, path }) => {
    const { admin, simulator } = await open(example)
    const before = [simulator.world.toJSON(), simulator.faults.list()]
    const url = adminPath(path, example)
    const json = { 'content-type': 'application/json' }

    const broken = await admin(method, url, { raw: '{"half": ', headers: json })
    const nested = '{"a":'.repeat(5_000).concat('1', '}'.repeat(5_000))
    const deep = await admin(method, url, { raw: nested, headers: json })
    const list = await admin(method, url, { body: [] })
    const text = await admin(method, url, { body: 'word' })
    const unknown = await admin(method, url, { body: { ...Object(example.body), nonsense: 1 } })

    const { world, faults } = simulator
    const unread = { status: 400, body: { code: 'parse_error' } }
    expect([broken, deep]).toMatchObject([unread, unread])
    expect([list, text]).toMatchObject([{ status: 400 }, { status: 400 }])
    const attr = expect.stringMatching(/nonsense$/)
    expect(unknown).toMatchObject({ status: 400, body: { attr } })
    expect([world.toJSON(), faults.list()]).toEqual(before)
  },
)

test.each(operations.filter(({ line }) => line !== 'GET /health'))(
  '$line refuses a parameter that it does not take, and a body if it takes none',
  async ({ example, method, path, hasBody }) => {
    const { admin } = await open(example)
    const query = `${example.query ?? '?'}&nonsense=1`
    const { body } = example

    const asked = await admin(method, adminPath(path, { ...example, query }), { body })
    const sent =
      hasBody || method === 'GET'
        ? null
        : await admin(method, adminPath(path, example), { body: { nonsense: 1 } })

    const refusal = { status: 400, body: { attr: 'nonsense' } }
    expect(asked).toMatchObject(refusal)
    expect(sent ?? refusal).toMatchObject(refusal)
  },
)

test.each(withId)(
  '$line responds with 404 for an unknown resource',
  async ({ method, path, example }) => {
    const { admin } = await serve()
    const unknown = { id: '9999', name: 'nowhere', value: 'phx_unknown' }
    const params = { ...example.params, ...unknown }

    const response = await admin(method, adminPath(path, { ...example, params }))

    expect(response).toEqual({
      status: 404,
      body: {
        type: 'invalid_request',
        code: 'not_found',
        detail: expect.stringContaining(' not found: it never existed, or was removed.'),
        attr: path.match(/:(\w+)[^:]*$/)?.[1],
      },
    })
  },
)
