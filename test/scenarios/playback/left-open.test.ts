import { expect, test } from 'vitest'
import { bytesToExchangedBody } from '../../../src/http/exchange.ts'
import { type Exchange, recordingOf, type Scenario } from '../../../src/index.ts'
import { createExchange } from '../../support/scenarios/exchanges.ts'
import { annotationsPath } from '../../support/scenarios/story.ts'
import { startPlayback } from '../../support/transports/playback-server.ts'

/** Records exchanges with the key `phx_all`, and replays them. */
async function replay(...exchanges: readonly Exchange[]) {
  const { scenario } = recordingOf(exchanges, { keys: { all: 'phx_all' } })
  const { ask } = await startPlayback({ ...scenario, world: 'default' } as Scenario)
  return { scenario, ask }
}

test('a time that was the current one is marked, and any time is taken for it', async () => {
  const now = '2024-06-15T11:59:59.500Z'
  const { scenario, ask } = await replay(
    createExchange({
      ...{ method: 'POST', bearer: 'phx_all', sent: { content: 'Launch', date_marker: now } },
      ...{ status: 201, received: { id: 9, content: 'Launch', date_marker: now } },
    }),
  )
  const send = (date_marker: unknown) =>
    ask('POST', annotationsPath, { body: { content: 'Launch', date_marker } })

  const refused = await send('today')
  const response = await send('2026-11-27T01:00:00Z')

  expect(scenario.steps).toMatchObject([
    {
      body: { content: 'Launch', date_marker: { $now: now } },
      expect: { exact_body: { date_marker: { $match: 'time' } } },
    },
  ])
  expect(refused).toMatchObject({
    status: 500,
    body: { detail: expect.stringContaining('expected an ISO 8601 time, got "today"') },
  })
  expect(response).toMatchObject({ status: 201, body: { date_marker: '2026-11-27T01:00:00Z' } })
})

test('a body is compared decoded, and that of a form with files, whose boundary is made up, is any body', async () => {
  const create = createExchange({ method: 'POST', bearer: 'phx_all', status: 201 })
  const withBody = (type: string, body: Uint8Array): Exchange => ({
    ...create,
    request: {
      headers: [...create.request.headers, ['content-type', type]],
      body: bytesToExchangedBody(body, type),
    },
  })
  const latin = 'application/json; charset=latin-1'
  const cafe = Buffer.from('{"content":"Café"}', 'latin1')
  const file = Buffer.from([45, 45, 255, 0, 45, 45])
  const { scenario, ask } = await replay(
    withBody(latin, cafe),
    withBody('multipart/form-data; boundary=one', file),
  )
  const send = (type: string, raw: Uint8Array<ArrayBuffer>) =>
    ask('POST', annotationsPath, { headers: { 'content-type': type }, raw })

  const statuses = [
    (await send(latin, cafe)).status,
    (await send('multipart/form-data; boundary=two', file)).status,
  ]

  expect(scenario.steps).toMatchObject([{ body: { content: 'Café' } }, { body: { $match: 'any' } }])
  expect(statuses).toEqual([201, 201])
})

test('a body that was left out of a recording is any body, and the requests after it are answered', async () => {
  const type = { 'content-type': 'application/octet-stream' }
  const binary = createExchange({
    ...{ method: 'POST', bearer: 'phx_all', headers: type },
    ...{ status: 415, received: { detail: 'Unsupported media type.' } },
  })
  const { scenario, ask } = await replay(
    { ...binary, request: { ...binary.request, body: { base64: '//79' } } },
    createExchange({ method: 'POST', bearer: 'phx_all', sent: { content: 'A' }, status: 201 }),
  )

  const statuses = [
    (await ask('POST', annotationsPath, { headers: type, raw: new Uint8Array([1, 255]) })).status,
    (await ask('POST', annotationsPath, { body: { content: 'A' } })).status,
  ]

  expect(scenario.steps[0]).toMatchObject({ body: { $match: 'any' } })
  expect(statuses).toEqual([415, 201])
})
