import { expect, test } from 'vitest'
import { startReplay } from './support/replay-server.ts'
import { clock, create, list, read, readAll, story } from './support/story.ts'

test('fallback: the simulation answers the rest, and has seen what was recorded', async () => {
  const { ask, replay } = await startReplay(
    story([
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
    story([
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
    const { ask, replay } = await startReplay(story([{ advance: { hours: 1 } }, create, readAll]), {
      mode,
    })
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
    story([{ rows: { annotations: [{ content: 'By hand' }] } }, read]),
    { mode: 'fallback' },
  )
  const count = async () => (await ask('GET', `${list}?search=hand`)).body

  expect(await count()).toMatchObject({ count: 1 })
  replay.rewind()
  expect(await count()).toMatchObject({ count: 1 })
})
