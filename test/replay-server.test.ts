import { expect, test } from 'vitest'
import { startReplay } from './support/replay-server.ts'
import { clock, create, list, read, readAll, story } from './support/story.ts'

test('recorded values win, and what they leave open is as it is simulated', async () => {
  const { ask, replay } = await startReplay(story([create]))
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
  const { ask } = await startReplay(story(steps))

  const { id } = (await ask('POST', list, { body: { content: 'Launch' } })).body as { id: number }
  const body = { content: `No. ${id}`, dashboard_item: null }
  const changed = await ask('PATCH', `${list}${id}`, { body })

  expect(changed).toMatchObject({ status: 200, body: { id, content: `No. ${id}` } })
})

test('an id that an answer gave is known in a text', async () => {
  const headers = { 'content-type': 'text/plain' }
  const { ask } = await startReplay(
    story([
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
    story([{ method: 'GET', path: '/api/elsewhere/', expect: { status: 200, body } }]),
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

test('a recorded status wins over a simulated one, with an error of the service', async () => {
  const { ask } = await startReplay(
    story([
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
    story([
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
