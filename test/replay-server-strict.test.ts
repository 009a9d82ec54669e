import { expect, test } from 'vitest'
import { startReplay } from './support/replay-server.ts'
import { create, list, read, readAll, story } from './support/story.ts'

test('strict: a request that was not recorded is refused, and the nearest one is named', async () => {
  const client = await startReplay(
    story([create, { ...readAll, query: { search: 'launch' }, expect: { status: 200 } }]),
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
    story([
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
    story(
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
