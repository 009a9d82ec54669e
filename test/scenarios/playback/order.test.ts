import { expect, test } from 'vitest'
import { MistakeFollower } from '../../../src/mistakes/follow-mistakes.ts'
import {
  annotationsPath,
  clock,
  createStep,
  listStep,
  readStep,
} from '../../support/scenarios/story.ts'
import { startStory } from '../../support/transports/playback-server.ts'

test('only recorded: the error for a request that is not recorded names the nearest one', async () => {
  const steps = [createStep, { ...listStep, query: { search: 'launch' }, expect: { status: 200 } }]
  const { ask, playback } = await startStory(steps, { journal: { redact: ['badge'] } })

  const { status, body } = await ask(
    'GET',
    `${annotationsPath}?search=lunch&personal_api_key=phx_all&badge=red-7&q=phx_all`,
  )
  await ask('POST', annotationsPath, { key: null, body: { content: 'Lunch' } })

  const difference =
    'query.search: expected "launch", got "lunch"; query.badge: expected nothing, got "…"; query.personal_api_key: expected'
  expect(status).toBe(500)
  expect(body).toEqual({
    type: 'server_error',
    code: 'not_recorded',
    detail: expect.stringMatching(/^GET .+ is not recorded\. Nearest: step 2, GET /),
    attr: null,
  })
  expect((body as { detail: string }).detail).toContain(difference)
  expect((body as { detail: string }).detail).not.toMatch(/phx_all|red-7/)
  expect(playback.unexpected[1]).toEqual({
    method: 'POST',
    path: annotationsPath,
    nearest: {
      step: 1,
      title: 'create it',
      differences: [
        'key: expected all, got no key',
        'body.content: expected "Launch", got "Lunch"',
      ],
    },
  })
  expect(playback.unused).toHaveLength(2)
})

test('only recorded: each response is returned once, and writes must come in order', async () => {
  const rename = { ...createStep, ...readStep, title: 'rename', method: 'PATCH', save: {} }
  const { ask, playback } = await startStory([
    { ...listStep, expect: { body: { count: 0 } } },
    { ...listStep, expect: { body: { count: 1 } } },
    { ...readStep, expect: { body: { content: 'before' } } },
    { ...rename, expect: { status: 200 } },
    { ...listStep, expect: { body: { count: 2 } } },
    { ...createStep, expect: { status: 201 } },
  ])
  const mistakes = new MistakeFollower(playback.simulator)
  const body = { content: 'Launch' }

  const early = await ask('POST', annotationsPath, { body })
  // The lists before the write were not requested: the next one shows the write.
  const answers = [
    await ask('GET', `${annotationsPath}1/`),
    await ask('PATCH', `${annotationsPath}1/`, { body }),
    await ask('GET', annotationsPath),
    await ask('GET', annotationsPath),
    await ask('GET', annotationsPath),
    await ask('GET', annotationsPath),
    await ask('POST', annotationsPath, { body }),
  ]

  // What a recorded response shows is no row of the world, which the client could have overwritten.
  expect(mistakes.finish().mistakes).toEqual([])
  expect(early).toMatchObject({
    status: 500,
    body: {
      detail: expect.stringContaining(
        'Nearest: step 6, create it (order: expected step 4 (rename) before this request).',
      ),
    },
  })
  expect(answers).toMatchObject([
    { body: { content: 'before' } },
    { status: 200 },
    { body: { count: 2 } },
    { body: { count: 0 } },
    { body: { count: 1 } },
    { status: 500, body: { detail: expect.stringContaining('times: expected one such request') } },
    { status: 201 },
  ])
  expect(playback.unused).toEqual([])
})

test('only recorded: concurrent reads get their own responses in any order', async () => {
  const ids = [1, 2, 3, 4, 5]
  const { ask, playback } = await startStory(
    ids.map((id) => ({
      ...readStep,
      path: `${annotationsPath}${id}/`,
      expect: { body: { content: `Row ${id}` } },
    })),
  )

  const answers = await Promise.all(
    ids.toReversed().map((id) => ask('GET', `${annotationsPath}${id}/`)),
  )

  expect(answers).toMatchObject(
    ids.toReversed().map((id) => ({ body: { id, content: `Row ${id}` } })),
  )
  expect(playback.unexpected).toEqual([])
})

test('the simulation answers other requests, and includes the recorded writes', async () => {
  const { ask, playback } = await startStory(
    [
      { rows: { annotations: [{ content: 'By hand' }] } },
      createStep,
      { advance: { hours: 1 } },
      { as: 'all', method: 'PATCH', path: `${annotationsPath}{id}/`, body: { content: 'Done' } },
    ],
    { onlyRecorded: false },
  )

  const other = await ask('POST', annotationsPath, { body: { content: 'Not recorded' } })
  const created = await ask('POST', annotationsPath, { body: { content: 'Launch' } })
  const { id } = created.body as { id: number }
  const done = await ask('PATCH', `${annotationsPath}${id}/`, { body: { content: 'Done' } })
  const read = await ask('GET', `${annotationsPath}${id}/`)
  const byHand = await ask('GET', `${annotationsPath}?search=hand`)
  const nowhere = await ask('GET', '/api/nowhere/')

  expect(other).toMatchObject({ status: 201, body: { id: 10 } })
  // The row that was not recorded has the id that was recorded: this one gets the next.
  expect([id, done.status]).toEqual([11, 200])
  expect(read).toEqual({ status: 200, body: done.body })
  expect(done.body).toMatchObject({ created_at: clock, updated_at: '2024-06-15T13:00:00Z' })
  expect(byHand).toMatchObject({ body: { count: 1 } })
  expect(nowhere).toMatchObject({ status: 404, body: { detail: 'Endpoint not found.' } })
  expect(playback.unexpected.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `POST ${annotationsPath}`,
    `GET ${annotationsPath}11/`,
    `GET ${annotationsPath}?search=hand`,
    'GET /api/nowhere/',
  ])
  expect(playback.unused).toEqual([])
})

test.each([true, false])(
  'rewind starts the recording and its world again (only recorded: %s)',
  async (onlyRecorded) => {
    const rows = { annotations: [{ content: 'By hand' }] }
    const steps = [{ rows }, { advance: { hours: 1 } }, createStep, listStep]
    const { ask, playback } = await startStory(steps, { onlyRecorded })
    const { simulator } = playback
    const go = async () => [
      await ask('POST', annotationsPath, { body: { content: 'Launch' } }),
      await ask('GET', annotationsPath),
    ]

    const first = await go()
    await ask('GET', '/api/nowhere/')
    playback.rewind()
    const before = simulator.world.annotations.count
    const second = await go()

    expect(second).toEqual(first)
    expect(before).toBe(8)
    expect([playback.unused, playback.unexpected]).toEqual([[], []])
  },
)

test('a change is made before a later read, although the reads before it were not requested', async () => {
  const { ask } = await startStory([
    { ...readStep, path: `${annotationsPath}2/` },
    { rows: { annotations: [{ content: 'By hand' }] } },
    { ...listStep, expect: { status: 200 } },
  ])

  expect(await ask('GET', annotationsPath)).toMatchObject({ status: 200, body: { count: 7 } })
})
