import { expect, test } from 'vitest'
import type { Scenario } from '../src/index.ts'
import { startReplay } from './support/replay-server.ts'

const list = '/api/projects/1/annotations/'
const clock = '2024-06-15T12:00:00Z'

/** A recording of some steps in the default world. */
const recorded = (steps: Scenario['steps'], more: Partial<Scenario> = {}): Scenario => ({
  title: 'An annotation',
  world: 'default',
  clock,
  steps,
  ...more,
})

const read = { as: 'all', method: 'GET', path: `${list}1/` } as const
const readAll = { as: 'all', method: 'GET', path: list } as const
const create = {
  title: 'create it',
  as: 'all',
  method: 'POST',
  path: list,
  body: { content: 'Launch' },
  expect: { status: 201, body: { id: { $match: 'id' }, content: 'Launched!' } },
  save: { id: '/id' },
} as const

test('recorded values win, and what they leave open is as it is simulated', async () => {
  const { ask, replay } = await startReplay(recorded([create]))
  const { simulator } = replay

  const answer = await ask('POST', list, { body: { content: 'Launch' } })

  const row = simulator.world.annotations.create({ content: 'Launch' })
  expect(answer).toMatchObject({
    status: 201,
    body: { id: row.id, content: 'Launched!', created_at: clock, created_by: { id: 1 } },
  })
  expect(replay.unused).toEqual([])
})

test('an id that an answer gave is known in later requests', async () => {
  const steps = [
    create,
    {
      as: 'all',
      method: 'PATCH',
      path: `${list}{id}/`,
      body: { dashboard_item: null, content: { $text: 'No. {id}' } },
      expect: { body: { id: { $saved: 'id' } } },
    },
  ]
  const { ask } = await startReplay(recorded(steps))

  const { id } = (await ask('POST', list, { body: { content: 'Launch' } })).body as { id: number }
  const body = { content: `No. ${id}`, dashboard_item: null }
  const changed = await ask('PATCH', `${list}${id}`, { body })

  expect(changed).toMatchObject({ status: 200, body: { id, content: `No. ${id}` } })
})

test('an id that an answer gave is known in a text', async () => {
  const headers = { 'content-type': 'text/plain' }
  const { ask } = await startReplay(
    recorded([
      create,
      {
        as: 'all',
        method: 'POST',
        path: list,
        headers,
        text: { $text: 'After {id}' },
        expect: { status: 415 },
      },
    ]),
  )

  const { id } = (await ask('POST', list, { body: { content: 'Launch' } })).body as { id: number }
  const other = await ask('POST', list, { raw: 'After {id}', headers })
  const same = await ask('POST', list, { raw: `After ${id}`, headers })

  expect([other.status, same.status]).toEqual([500, 415])
})

test('what matchers leave open is made where the simulation has nothing', async () => {
  const body = {
    id: { $match: 'id' },
    key: { $match: 'uuid' },
    at: { $match: 'time' },
    flags: [{ $match: 'boolean' }, { $match: 'list' }, { $match: 'object' }, { $match: 'any' }],
    gone: { $match: 'absent' },
    literal: { $literal: { $match: 'id' } },
  }
  const { ask } = await startReplay(
    recorded([{ method: 'GET', path: '/api/elsewhere/', expect: { status: 200, body } }]),
  )

  const answer = await ask('GET', '/api/elsewhere/', { key: null })

  expect(answer).toEqual({
    status: 200,
    body: {
      id: expect.any(Number),
      key: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      at: clock,
      flags: [false, [], {}, null],
      literal: { $match: 'id' },
    },
  })
})

test('links lead to where the answer came from, and are followed', async () => {
  const { ask, origin } = await startReplay(
    recorded([
      { ...readAll, query: { limit: 2 }, expect: { status: 200 }, save: { second: '/next' } },
      { as: 'all', method: 'GET', path: '{second}', expect: { body: { count: 77 } } },
    ]),
  )

  const first = await ask('GET', `${list}?limit=2`)
  const { next } = first.body as { next: string }
  const second = await ask('GET', next.slice(origin.length))

  expect(next).toBe(`${origin}${list}?limit=2&offset=2`)
  expect(second.body).toMatchObject({ count: 77, results: [{}, {}] })
})

test('a recorded status wins over a simulated one, with an error of the service', async () => {
  const { ask } = await startReplay(
    recorded([
      { ...read, expect: { status: 404 } },
      { ...read, expect: { status: 503, headers: { 'retry-after': '3' }, text: 'Busy' } },
      { ...read, expect: { broken: true } },
    ]),
  )

  expect(await ask('GET', `${list}1/`)).toEqual({
    status: 404,
    body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
  })
  expect(await ask('GET', `${list}1/`)).toEqual({ status: 503, body: 'Busy' })
  await expect(ask('GET', `${list}1/`)).rejects.toThrow('fetch')
})

test('changes of the world stand behind the answers after them', async () => {
  const { ask } = await startReplay(
    recorded([
      { advance: { hours: 1 } },
      {
        rows: {
          annotations: [{ content: 'By hand' }],
          keys: [{ label: 'mine', scopes: ['*'], value: 'phx_mine' }],
        },
        save: { id: '/annotations/0' },
      },
      { as: 'mine', method: 'GET', path: `${list}{id}/`, expect: { status: 200 } },
      { fault: { operation: 'listAnnotations', effect: { error: 'throttled' } } },
      { ...readAll, expect: { status: 429 } },
    ]),
  )

  const mine = await ask('GET', `${list}9/`, { key: 'phx_mine' })
  const throttled = await ask('GET', list)

  expect(mine).toMatchObject({
    status: 200,
    body: { content: 'By hand', created_at: '2024-06-15T13:00:00Z' },
  })
  expect(throttled).toMatchObject({ status: 429, body: { code: 'throttled' } })
})

test('strict: a request that was not recorded is refused, and the nearest one is named', async () => {
  const client = await startReplay(
    recorded([create, { ...readAll, query: { search: 'launch' }, expect: { status: 200 } }]),
  )
  const { ask, replay } = client

  const { status, body } = await ask('GET', `${list}?search=lunch&personal_api_key=phx_all`)
  const { headers } = await client.send('POST', list, { key: null, body: { content: 'Lunch' } })

  const difference =
    'query.search: expected "launch", got "lunch"; query.personal_api_key: expected'
  expect(status).toBe(500)
  expect(body).toEqual({
    type: 'server_error',
    code: 'not_recorded',
    detail: expect.stringMatching(
      /^Failed to replay GET .+: expected a request that was recorded, got one that was not\. Nearest: step 2, GET /,
    ),
    attr: null,
  })
  expect((body as { detail: string }).detail).toContain(difference)
  expect((body as { detail: string }).detail).not.toContain('phx_all')
  expect(headers.get('understudy-nearest')).toBe('step 1')
  expect(replay.unexpected[1]).toEqual({
    method: 'POST',
    path: list,
    nearest: {
      step: 1,
      title: 'create it',
      differences: [
        'key: expected all, got no key',
        'body.content: expected "Launch", got "Lunch"',
      ],
    },
  })
  expect(replay.unused).toHaveLength(2)
})

test('strict: each answer is given once, and writes keep their order', async () => {
  const rename = { ...create, title: 'rename', method: 'PATCH', path: `${list}1/`, save: {} }
  const { ask, replay } = await startReplay(
    recorded([
      { ...readAll, expect: { body: { count: 1 } } },
      { ...read, expect: { body: { content: 'before' } } },
      { ...rename, expect: { status: 200 } },
      { ...readAll, expect: { body: { count: 2 } } },
      { ...create, expect: { status: 201 } },
    ]),
  )
  const body = { content: 'Launch' }

  const early = await ask('POST', list, { body })
  // The list before the write was never asked: after it comes the one that shows it.
  const answers = [
    await ask('GET', `${list}1/`),
    await ask('PATCH', `${list}1/`, { body }),
    await ask('GET', list),
    await ask('GET', list),
    await ask('GET', list),
    await ask('POST', list, { body }),
  ]

  expect(early).toMatchObject({
    status: 500,
    body: {
      detail: expect.stringContaining(
        'Nearest: step 5, create it (order: expected step 3 before it (rename), got none).',
      ),
    },
  })
  expect(answers).toMatchObject([
    { body: { content: 'before' } },
    { status: 200 },
    { body: { count: 2 } },
    { body: { count: 1 } },
    { status: 500, body: { detail: expect.stringContaining('times: expected it once') } },
    { status: 201 },
  ])
  expect(replay.unused).toEqual([])
})

test('strict: reads that are asked at once get their own answers, in whatever order they come', async () => {
  const ids = [1, 2, 3, 4, 5]
  const { ask, replay } = await startReplay(
    recorded(
      ids.map((id) => ({
        ...read,
        path: `${list}${id}/`,
        expect: { body: { content: `Row ${id}` } },
      })),
    ),
  )

  const answers = await Promise.all(ids.toReversed().map((id) => ask('GET', `${list}${id}/`)))

  expect(answers).toMatchObject(
    ids.toReversed().map((id) => ({ body: { id, content: `Row ${id}` } })),
  )
  expect(replay.unexpected).toEqual([])
})

test('fallback: the simulation answers the rest, and has seen what was recorded', async () => {
  const { ask, replay } = await startReplay(
    recorded([
      { rows: { annotations: [{ content: 'By hand' }] } },
      create,
      { advance: { hours: 1 } },
      { as: 'all', method: 'PATCH', path: `${list}{id}/`, body: { content: 'Done' } },
    ]),
    { mode: 'fallback' },
  )

  const other = await ask('POST', list, { body: { content: 'Not recorded' } })
  const { id } = (await ask('POST', list, { body: { content: 'Launch' } })).body as { id: number }
  const done = await ask('PATCH', `${list}${id}/`, { body: { content: 'Done' } })
  const found = await ask('GET', `${list}${id}/`)
  const byHand = await ask('GET', `${list}?search=hand`)
  const nowhere = await ask('GET', '/api/nowhere/')

  expect(other).toMatchObject({ status: 201, body: { id: 10 } })
  // The row that was not recorded has the id that was recorded: this one gets the next.
  expect([id, done.status]).toEqual([11, 200])
  expect(found).toEqual({ status: 200, body: done.body })
  expect(done.body).toMatchObject({ created_at: clock, updated_at: '2024-06-15T13:00:00Z' })
  expect(byHand).toMatchObject({ body: { count: 1 } })
  expect(nowhere).toMatchObject({ status: 404, body: { detail: 'Endpoint not found.' } })
  expect(replay.unexpected.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `POST ${list}`,
    `GET ${list}11/`,
    `GET ${list}?search=hand`,
    'GET /api/nowhere/',
  ])
  expect(replay.unused).toEqual([])
})

test('loose: order and repetition do not matter, and the nearest request answers', async () => {
  const { ask, replay } = await startReplay(
    recorded([
      { ...create, expect: { status: 201, body: { content: 'One' } } },
      { ...create, expect: { status: 201, body: { content: 'Two' } } },
      { ...readAll, query: { limit: 1 }, expect: { body: { count: 7 } } },
    ]),
    { mode: 'loose' },
  )
  const body = { content: 'Launch' }

  const answers = [
    await ask('GET', `${list}?limit=2&search=x`),
    await ask('POST', list, { body }),
    await ask('POST', list, { body }),
    await ask('POST', list, { body }),
    await ask('POST', list, { body: { content: 'Other' } }),
    await ask('DELETE', list),
  ]

  expect(answers).toMatchObject([
    { body: { count: 7 } },
    { body: { content: 'One' } },
    { body: { content: 'Two' } },
    { body: { content: 'Two' } },
    { body: { content: 'Two' } },
    { status: 500, body: { code: 'not_recorded' } },
  ])
  expect(replay.requests.map(({ asked }) => asked)).toEqual([1, 3, 1])
})

test.each(['strict', 'fallback'] as const)(
  '%s: rewound, it begins anew, and so does the world below',
  async (mode) => {
    const { ask, replay } = await startReplay(
      recorded([{ advance: { hours: 1 } }, create, readAll]),
      { mode },
    )
    const { simulator } = replay
    const go = async () => [
      await ask('POST', list, { body: { content: 'Launch' } }),
      await ask('GET', list),
    ]

    const first = await go()
    replay.rewind()
    const before = simulator.world.annotations.count
    const second = await go()

    expect(second).toEqual(first)
    expect(before).toBe(8)
    expect([replay.unused, replay.unexpected]).toEqual([[], []])
  },
)

test('fallback: the changes at the beginning are made before the first request, also when rewound', async () => {
  const { ask, replay } = await startReplay(
    recorded([{ rows: { annotations: [{ content: 'By hand' }] } }, read]),
    { mode: 'fallback' },
  )
  const count = async () => (await ask('GET', `${list}?search=hand`)).body

  expect(await count()).toMatchObject({ count: 1 })
  replay.rewind()
  expect(await count()).toMatchObject({ count: 1 })
})

test('what was answered is in the journal', async () => {
  const { ask, replay } = await startReplay(recorded([create]))
  const { journal } = replay.simulator

  await ask('POST', list, { body: { content: 'Launch' } })
  await ask('GET', '/api/nowhere/')

  expect(journal.find()).toMatchObject([
    { operation: 'createAnnotation', answer: { status: 201, body: { content: 'Launched!' } } },
    { operation: null, answer: { status: 500, body: { code: 'not_recorded' } } },
  ])
})

test('a text and bytes are recorded as they are; addresses in an answer are where it came from', async () => {
  const post = { as: 'all', method: 'POST', path: list } as const
  const { ask, origin } = await startReplay(
    recorded([
      { ...post, text: '{"half": ', expect: { status: 400, text: { $text: '{base_url}/help' } } },
      { ...post, base64: '/wAB', expect: { status: 415 } },
    ]),
  )

  const other = await ask('POST', list, { raw: new Uint8Array([255, 0, 2]) })
  const half = await ask('POST', list, { raw: '{"half": ' })
  const bytes = await ask('POST', list, { raw: new Uint8Array([255, 0, 1]) })

  expect(other).toMatchObject({ status: 500, body: { code: 'not_recorded' } })
  expect(half).toEqual({ status: 400, body: `${origin}/help` })
  expect(bytes).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
})

test('a sandbox answers for itself', async () => {
  const { ask, replay } = await startReplay(recorded([create]))
  const { keys } = replay.simulator.sandboxes.create({ from: 'empty' })

  const answer = await ask('GET', '/api/projects/', { key: keys[0]?.value ?? '' })

  expect(answer).toMatchObject({ status: 200, body: { count: 1 } })
})

test('a recording that cannot be completed says so, in each answer', async () => {
  const { ask, replay } = await startReplay(
    recorded([{ ...read, expect: { body: { content: { $pattern: '^No$' } } } }]),
  )

  const fault =
    'steps[0].expect.body.content: expected a text that matches /^No$/, got "Release 1.0"'
  await expect(replay.ready()).rejects.toThrow(fault)
  expect(await ask('GET', `${list}1/`)).toMatchObject({
    status: 500,
    body: { code: 'not_replayable', detail: expect.stringContaining(fault) },
  })
})
