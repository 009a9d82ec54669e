import { expect, test } from 'vitest'
import type { SandboxInfo } from '../../../src/simulator/sandboxes/sandboxes.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { serve } from '../../support/transports/start.ts'
import { sendRawRequest } from '../raw-request.ts'

const sandboxes = '/__admin/sandboxes'

test('a test creates a sandbox, uses it by its keys or its URL, and deletes it', async () => {
  const { ask, admin, origin, simulator } = await serve()

  const created = await admin('POST', sandboxes, { body: { ttl_s: 600 } })
  const sandbox = created.body as SandboxInfo
  const key = sandbox.keys.find(({ label }) => label === 'all')?.value as string
  await ask('POST', annotationsPath, { key, body: { content: 'By key' } })
  await fetch(`${sandbox.url}${annotationsPath}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  })

  expect(created).toEqual({
    status: 200,
    body: {
      ...simulator.sandboxes.info('sandbox-1'),
      url: `${origin}/__sandbox/sandbox-1`,
      key,
      expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  })
  expect(await admin('GET', sandboxes)).toEqual({ status: 200, body: [sandbox] })
  expect(simulator.sandboxes.get('sandbox-1')?.world.annotations.count).toBe(10)
  expect(simulator.world.annotations.count).toBe(8)
  expect(await admin('DELETE', `${sandboxes}/sandbox-1`)).toEqual({
    status: 204,
    body: undefined,
  })
  expect((await fetch(`${sandbox.url}${annotationsPath}`)).status).toBe(404)
})

test('the URL of a sandbox has the host of the request', async () => {
  const { origin } = await serve()

  const host = `localhost:${new URL(origin).port}`
  const response = await sendRawRequest(origin, 'POST', sandboxes, { host })

  expect(JSON.parse(response.text).url).toBe(`http://${host}/__sandbox/sandbox-1`)
})

test('the admin API below the URL of a sandbox controls that sandbox and nothing else', async () => {
  const { admin, simulator } = await serve()
  const inner = simulator.sandboxes.get(simulator.sandboxes.create().id)
  const path = '/__sandbox/sandbox-1/__admin'

  await admin('PUT', `${path}/clock`, { body: { now: '2030-01-01' } })
  await admin('PATCH', `${path}/world`, { body: { annotations: [{}] } })
  const issued = await admin('POST', `${path}/keys`)

  expect([inner?.clock.iso(), simulator.clock.iso()]).toEqual([
    '2030-01-01T00:00:00Z',
    '2024-06-15T12:00:00Z',
  ])
  expect([inner?.world.annotations.count, simulator.world.annotations.count]).toEqual([9, 8])
  expect(inner?.keys.list().at(-1)).toEqual(issued.body)
  expect(await admin('GET', '/__sandbox/sandbox-2/__admin/world')).toMatchObject({
    status: 404,
    body: { detail: 'Sandbox sandbox-2 not found: it was never created, or has ended.' },
  })
})

test('a sandbox above the limit is refused with a 429 that says how to make room', async () => {
  const { admin } = await serve({ sandboxes: 2 })
  const create = () => admin('POST', sandboxes)
  await create()
  await create()

  expect(await create()).toEqual({
    status: 429,
    body: {
      type: 'throttled_error',
      code: 'throttled',
      detail:
        'Failed to create a sandbox: there are already 2. Delete one, or create them with ttl_s.',
      attr: null,
    },
  })
  await admin('DELETE', `${sandboxes}/sandbox-1`)
  expect(await create()).toMatchObject({ status: 200, body: { id: 'sandbox-3' } })
})

test('a chosen key that another sandbox has is refused with a 409 that names it, and nothing is created', async () => {
  const { admin, simulator } = await serve()
  simulator.sandboxes.create({ keys: [{ label: 'all', value: 'phx_one' }] })
  const keys = [
    { label: 'none', value: 'phx_two' },
    { label: 'all', value: 'phx_one' },
  ]

  expect(await admin('POST', sandboxes, { body: { keys } })).toMatchObject({
    status: 409,
    body: { code: 'conflict', detail: expect.stringContaining('phx_one'), attr: 'keys[1].value' },
  })
  expect(simulator.sandboxes.list()).toHaveLength(1)
})

const taken = (value: string) =>
  `the simulator or a sandbox already has a key with the value "${value}". Choose another value.`

test.each([
  ['POST', '/__admin/keys', { value: 'phx_all' }, 'value', taken('phx_all')],
  [
    'PATCH',
    '/__admin/world',
    { keys: [{ value: 'phx_two' }, { value: 'phx_one' }] },
    'keys[1].value',
    taken('phx_one'),
  ],
  [
    'PATCH',
    '/__admin/world',
    { annotations: [{ content: 'Launch' }, { id: 1 }] },
    'annotations[1].id',
    'expected an unused id, got 1',
  ],
])(
  '%s %s %j is refused with a 409 that names what is taken, and nothing is added',
  async (method, path, body, attr, text) => {
    const { admin, simulator } = await serve()
    simulator.sandboxes.create({ keys: [{ label: 'all', value: 'phx_one' }] })
    const before = simulator.world.toJSON()

    const refused = await admin(method, path, { body })

    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'conflict', attr, issues: [{ path: expect.any(Array), text }] },
    })
    expect(simulator.world.toJSON()).toEqual(before)
  },
)

test('a wrong field beside a key that is taken is a 400 with both', async () => {
  const { admin } = await serve()

  const refused = await admin('POST', '/__admin/keys', { body: { value: 'phx_all', user: 99 } })

  expect(refused).toMatchObject({
    status: 400,
    body: { issues: [{ text: 'expected an id in users, got 99' }, { text: taken('phx_all') }] },
  })
})

test('the report and the mistakes of a server count its sandboxes by name, also those that ended', async () => {
  const { ask, admin } = await serve()
  const createIn = async (name?: string) => {
    const { body } = await admin('POST', sandboxes, { body: name === undefined ? {} : { name } })
    const { id, key } = body as SandboxInfo
    for (let count = 0; count < 2; count += 1) {
      await ask('DELETE', `${annotationsPath}1/`, { key: key as string })
    }
    return id
  }
  const ended = await createIn('deletes a note')
  const unnamed = await createIn()
  await admin('DELETE', `${sandboxes}/${ended}`)

  const { body: mistakes } = await admin('GET', '/__admin/journal/mistakes')
  const { body: report } = await admin('GET', '/__admin/report')
  const { body: own } = await admin('GET', `/__sandbox/${unnamed}/__admin/report`)
  const { body: few } = await admin('GET', `/__sandbox/${unnamed}/__admin/journal/mistakes`)

  const details = [
    expect.stringContaining(' of sandbox-2: '),
    expect.stringContaining(' of deletes a note: '),
  ]
  const mistake = { rule: 'swallowed-delete', tests: ['deletes a note'], details }
  expect(mistakes).toMatchObject([mistake])
  expect(report).toMatchObject({ requests: 4, mistakes: [mistake] })
  expect(own).toMatchObject({ requests: 2, mistakes: [{ rule: 'swallowed-delete' }] })
  expect(few).toMatchObject([{ rule: 'swallowed-delete', details: { length: 1 } }])
  await admin('DELETE', `/__sandbox/${unnamed}/__admin/journal`)
  expect((await admin('GET', '/__admin/report')).body).toMatchObject({ requests: 2 })
  await admin('DELETE', '/__admin/journal')
  expect((await admin('GET', '/__admin/report')).body).toMatchObject({ requests: 0 })
})
