import { expect, test } from 'vitest'
import { refusal } from '../../support/api/errors.ts'
import { start } from '../../support/lanes/start.ts'

const list = '/api/projects/1/annotations/'
const row = `${list}1/`

test('the service refuses once, in its own words, and answers again after that', async () => {
  const { ask, simulator } = await start()
  const effect = { error: 'throttled', retry_after_s: 30 } as const
  simulator.faults.add({ operation: 'listAnnotations', when: { times: 1 }, effect })

  expect(await ask('GET', list)).toEqual(
    refusal(
      429,
      'throttled_error',
      'throttled',
      'Request was throttled. Expected available in 30 seconds.',
    ),
  )
  expect(await ask('GET', list)).toMatchObject({ status: 200, body: { count: 6 } })
})

test('a write that is refused before it is carried out has written nothing', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ operation: 'createAnnotation', effect: { error: 'server_error' } })

  const answer = await ask('POST', list, { body: { content: 'Launch' } })

  expect(answer).toEqual(refusal(500, 'server_error', 'error', 'A server error occurred.'))
  expect(simulator.world.annotations.count).toBe(8)
})

test('after the commit the row is there, and the client is told of an error', async () => {
  const { ask, simulator } = await start()
  const effect = { error: 'server_error', detail: 'Lost after the write.' } as const
  simulator.faults.add({ operation: 'createAnnotation', phase: 'after-commit', effect })

  const answer = await ask('POST', list, { body: { content: 'Launch' } })

  expect(answer).toEqual(refusal(500, 'server_error', 'error', 'Lost after the write.'))
  expect(simulator.world.annotations.get(9)).toMatchObject({ content: 'Launch' })
})

test('after the commit the connection drops: the client never learned of the row, and another key reads it', async () => {
  const { ask, simulator } = await start()
  const other = simulator.keys.issue({ scopes: ['annotation:read'] })
  simulator.faults.add({
    operation: 'createAnnotation',
    when: { times: 1 },
    phase: 'after-commit',
    effect: { drop: true },
  })

  await expect(ask('POST', list, { body: { content: 'Launch' } })).rejects.toThrow(TypeError)

  expect(await ask('GET', `${list}9/`, { key: other })).toMatchObject({
    status: 200,
    body: { id: 9, content: 'Launch' },
  })
  // What a client that tries again does: the row is there twice.
  expect(await ask('POST', list, { body: { content: 'Launch' } })).toMatchObject({
    status: 201,
    body: { id: 10, content: 'Launch' },
  })
})

test('before the commit the connection drops: nothing was written', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ operation: 'createAnnotation', effect: { drop: true } })

  await expect(ask('POST', list, { body: { content: 'Launch' } })).rejects.toThrow(TypeError)

  expect(simulator.world.annotations.count).toBe(8)
})

test('any status, headers and body, before the commit or after it', async () => {
  const client = await start()
  const { ask, simulator } = client
  const effect = { status: 502, headers: { 'X-Proxy': 'edge' }, body: 'Bad gateway' }
  simulator.faults.add({ operation: 'createAnnotation', when: { times: 1 }, effect })
  const gone = { status: 418, body: { teapot: true } }
  simulator.faults.add({ operation: 'updateAnnotation', phase: 'after-commit', effect: gone })

  const answer = await client.send('POST', list, { body: {} })
  expect([answer.status, answer.headers.get('x-proxy'), await answer.text()]).toEqual([
    502,
    'edge',
    'Bad gateway',
  ])
  expect(answer.headers.get('content-type')).toBe('text/plain;charset=utf-8')
  expect(simulator.world.annotations.count).toBe(8)

  expect(await ask('PATCH', row, { body: { content: 'Changed' } })).toEqual({
    status: 418,
    body: { teapot: true },
  })
  expect(simulator.world.annotations.get(1)?.content).toBe('Changed')
})

test('errors have the form that the policies say', async () => {
  const policies = { 'errors.body': 'detail', 'limits.retry_after': 'present' } as const
  const client = await start({ policies })
  const { ask, simulator } = client
  const effect = { error: 'throttled', retry_after_s: 1 } as const
  simulator.faults.add({ operation: 'listAnnotations', effect })
  simulator.faults.add({ operation: 'createAnnotation', effect: { error: 'method_not_allowed' } })

  const answer = await client.send('GET', list)

  expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
    429,
    '1',
    { detail: 'Request was throttled. Expected available in 1 second.' },
  ])
  const refused = await client.send('POST', list)
  expect(refused.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS')
  expect(await refused.json()).toEqual({ detail: 'Method "POST" not allowed.' })
  expect(await ask('GET', row)).toMatchObject({ status: 200 })
})

const names = [
  ['not_acceptable', 406],
  ['not_authenticated', 401],
  ['authentication_failed', 401],
  ['permission_denied', 403],
  ['throttled', 429],
  ['method_not_allowed', 405],
  ['not_found', 404],
  ['parse_error', 400],
  ['unsupported_media_type', 415],
  ['body_too_large', 413],
  ['validation_error', 400],
  ['server_error', 500],
] as const

test.each(names)('%s can be asked for by its name, and answers %i', async (error, status) => {
  const { ask, simulator } = await start()
  simulator.faults.add({ effect: { error, detail: 'As asked for.' } })

  const answer = await ask('GET', row)

  expect(answer).toMatchObject({ status, body: { detail: 'As asked for.', attr: null } })
})

test('a rule is for an operation, for a method and a path, or for a key', async () => {
  const { ask, simulator } = await start()
  const key = simulator.keys.issue({ label: 'mobile', scopes: ['*'] })
  const teapot = { status: 418 }
  const statusOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).status

  simulator.faults.add({ operation: 'retrieveAnnotation', effect: teapot })
  expect([await statusOf('GET', row), await statusOf('GET', list)]).toEqual([418, 200])

  simulator.faults.clear()
  simulator.faults.add({ method: ['PATCH', 'DELETE'], path: `${list}:id`, effect: teapot })
  expect([await statusOf('DELETE', row), await statusOf('GET', row)]).toEqual([418, 200])

  simulator.faults.clear()
  simulator.faults.add({ path: row, effect: teapot })
  expect([await statusOf('GET', row), await statusOf('GET', `${list}2/`)]).toEqual([418, 200])

  simulator.faults.clear()
  simulator.faults.add({ key: 'mobile', effect: teapot })
  expect([await statusOf('GET', row, { key }), await statusOf('GET', row)]).toEqual([418, 200])
})

test('of several rules the one added last strikes, and each counts what it matches', async () => {
  const { ask, simulator } = await start()
  const [every] = simulator.faults.add({ effect: { status: 500 } })
  const [once] = simulator.faults.add({ when: { times: 1 }, effect: { status: 503 } })

  const statuses = [await ask('GET', row), await ask('GET', row)].map(({ status }) => status)

  expect(statuses).toEqual([503, 500])
  expect(simulator.faults.list()).toEqual([
    { ...once, matched: 2, applied: 1 },
    { ...every, matched: 2, applied: 1 },
  ])
})

test('rules are listed with what they have done, and taken away by id or all at once', async () => {
  const { ask, simulator } = await start()

  const [fault] = simulator.faults.add({ operation: 'listAnnotations', effect: { drop: true } })
  expect(fault).toEqual({
    id: 'fault-1',
    operation: 'listAnnotations',
    effect: { drop: true },
    phase: 'before',
    preset: null,
    matched: 0,
    applied: 0,
    warning: null,
  })
  expect([simulator.faults.remove('fault-1'), simulator.faults.remove('fault-1')]).toEqual([
    true,
    false,
  ])
  expect(await ask('GET', list)).toMatchObject({ status: 200 })

  simulator.faults.add({ preset: 'outage' })
  simulator.faults.clear()
  expect(simulator.faults.list()).toEqual([])
  expect(await ask('GET', list)).toMatchObject({ status: 200 })
})

test('a sandbox begins without faults, and keeps its own to itself', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ operation: 'listAnnotations', effect: { status: 503 } })

  const { id, keys } = simulator.sandboxes.create()
  const key = keys.find(({ scopes }) => scopes?.includes('*'))?.value ?? ''
  const sandbox = simulator.sandboxes.get(id)
  expect(await ask('GET', list, { key })).toMatchObject({ status: 200 })

  sandbox?.faults.add({ operation: 'listAnnotations', effect: { status: 418 } })
  expect(await ask('GET', list, { key })).toMatchObject({ status: 418 })
  expect(await ask('GET', list)).toMatchObject({ status: 503 })
  expect(simulator.fork().faults.list()).toEqual([])
})

test('the journal tells which fault struck, and what was written all the same', async () => {
  const { ask, simulator } = await start()
  const effect = { drop: true } as const
  simulator.faults.add({ operation: 'createAnnotation', phase: 'after-commit', effect })

  await expect(ask('POST', list, { body: { content: 'Launch' } })).rejects.toThrow(TypeError)

  expect(simulator.journal.find()).toMatchObject([
    {
      operation: 'createAnnotation',
      fault: { id: 'fault-1', phase: 'after-commit', effect },
      changes: [{ list: 'annotations', id: 9 }],
    },
  ])
})

test('resetting the world leaves faults as they are', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ operation: 'listAnnotations', when: { skip: 1 }, effect: { status: 503 } })

  expect(await ask('GET', list)).toMatchObject({ status: 200 })
  simulator.reset()
  expect(await ask('GET', list)).toMatchObject({ status: 503 })
})
