import { expect, test, vi } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { pluginsPath } from '../../support/api/paths.ts'
import {
  annotationsPath,
  clock,
  createStep,
  createStory,
  listStep,
  postStep,
  readStep,
} from '../../support/scenarios/story.ts'
import { initOf } from '../../support/transports/client.ts'
import { startPlayback, startStory } from '../../support/transports/playback-server.ts'
import { freeOrigin } from '../../support/transports/start.ts'

const config_schema = [
  { key: 'a', name: 'A' },
  { key: 'b', name: 'B' },
]

test('recorded values take precedence, and the simulation provides the others', async () => {
  const { ask, playback } = await startStory([createStep])

  const answer = await ask('POST', annotationsPath, { body: { content: 'Launch' } })

  expect(answer).toMatchObject({
    status: 201,
    body: { id: 9, content: 'Launched!', created_at: clock, created_by: { id: 1 } },
  })
  expect(playback.unused).toEqual([])
})

test('a recorded row is completed with its own row, also if the page has others, and a value without an id with its place', async () => {
  const { ask } = await startStory([
    { ...listStep, expect: { status: 200, body: { results: [{ id: 3, content: 'Recorded' }] } } },
    {
      ...{ ...postStep, path: pluginsPath, body: { config_schema } },
      expect: { status: 201, body: { config_schema: [{ key: 'x' }, { key: 'y' }] } },
    },
  ])

  const listed = await ask('GET', annotationsPath)
  const created = await ask('POST', pluginsPath, { body: { config_schema } })

  const { date_marker } = defaultWorld.annotations.find(({ id }) => id === 3) ?? {}
  expect(listed.body).toMatchObject({ results: [{ id: 3, content: 'Recorded', date_marker }] })
  expect(created.body).toMatchObject({
    config_schema: [
      { key: 'x', name: 'A' },
      { key: 'y', name: 'B' },
    ],
  })
})

test('matchers without a simulated value get an example', async () => {
  const body = {
    id: { $match: 'id' },
    key: { $match: 'uuid' },
    at: { $match: 'time' },
    flags: [{ $match: 'boolean' }, { $match: 'list' }, { $match: 'object' }, { $match: 'any' }],
    gone: { $match: 'absent' },
    constructor: { $match: 'any' },
    literal: { $literal: { $match: 'id' } },
  }
  const { ask } = await startStory([
    { method: 'GET', path: '/api/elsewhere/', expect: { status: 200, body } },
  ])

  const answer = await ask('GET', '/api/elsewhere/', { key: null })

  expect(answer).toEqual({
    status: 200,
    body: {
      id: expect.any(Number),
      key: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      at: clock,
      flags: [false, [], {}, null],
      constructor: null,
      literal: { $match: 'id' },
    },
  })
})

test('a recorded length is that of the response, not of the recording', async () => {
  const client = await startStory([
    { ...readStep, expect: { status: 200, headers: { 'content-length': '999' }, text: '"é"' } },
    { ...readStep, expect: { status: 304, headers: { 'content-length': '999' }, text: '' } },
  ])

  const shown = []
  for (const _ of [1, 2]) {
    const { headers } = await client.send('GET', `${annotationsPath}1/`)
    shown.push([headers.get('content-length'), headers.get('content-type')])
  }

  expect(shown).toEqual([
    ['4', 'application/json'],
    [null, null],
  ])
})

test('a recorded error status takes precedence over the simulated one', async () => {
  const client = await startStory([
    { ...readStep, expect: { status: 404 } },
    { ...readStep, expect: { status: 503, headers: { 'retry-after': '3' }, text: 'Busy' } },
    { ...readStep, expect: { broken: true } },
  ])

  expect(await client.ask('GET', `${annotationsPath}1/`)).toEqual({
    status: 404,
    body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
  })
  const busy = await client.send('GET', `${annotationsPath}1/`)
  const { status, headers } = busy
  expect([status, headers.get('content-type'), await busy.text()]).toEqual([
    503,
    'application/json',
    'Busy',
  ])
  await expect(client.ask('GET', `${annotationsPath}1/`)).rejects.toThrow('Failed to fetch')
})

test.each<[title: string, expected: object, shown: object, fault?: { drop: true }]>([
  ['any error', { status: '4xx', exact_body: '5' }, { status: 400, body: '5' }],
  ['only its fields', { status: 200, exact_body: { id: 1 } }, { status: 200, body: { id: 1 } }],
  [
    'another value',
    { status: 200, body: { content: { $not: 'Release 1.0' } } },
    { status: 200, body: expect.objectContaining({ content: 'Release 1.0' }) },
  ],
  [
    'a value in place of nothing',
    { body: { id: 5 } },
    { status: 200, body: { id: 5 } },
    { drop: true },
  ],
])('a recorded response is completed by %s', async (_title, expected, shown, effect) => {
  const fault = effect ? [{ fault: { effect } } as const] : []
  const { ask } = await startStory([...fault, { ...readStep, expect: expected }])

  expect(await ask('GET', readStep.path)).toEqual(shown)
})

test('a header that was not there is removed, and a response that broke off breaks off', async () => {
  const deletion = { ...readStep, method: 'DELETE' } as const
  const { send } = await startStory([
    { ...deletion, expect: { status: 405, headers: { allow: null } } },
    { fault: { effect: { cut_bytes: 5 } } },
    { ...readStep, expect: { broken: true } },
  ]).then((client) => ({ send: client.send.bind(client) }))

  const refused = await send('DELETE', readStep.path)
  const cut = await send('GET', readStep.path)

  expect([refused.status, refused.headers.get('allow'), cut.status]).toEqual([405, null, 200])
  await expect(cut.text()).rejects.toThrow()
})

test('a recording takes precedence over options, which hold for what it does not say', async () => {
  const [deletion, body] = ['annotations.delete.status', 'plugins.other.body'] as const
  const { world: _, ...story } = createStory([readStep], { settings: { [deletion]: '404' } })

  const { playback } = await startPlayback(story, {
    ...{ world: 'empty', clock: '2020-01-01T00:00:00Z' },
    settings: { [deletion]: '405', [body]: 'envelope' },
  })

  const { world, settings, clock: time } = playback.simulator
  expect([world.annotations.count, time.iso()]).toEqual([0, clock])
  expect([settings.get(deletion), settings.get(body)]).toEqual(['404', 'envelope'])
})

test('below a base URL with a path, links can be followed, and other requests are simulated', async () => {
  const { origin } = new URL(freeOrigin())
  const baseUrl = `${origin}/v1`
  const list = { ...listStep, query: { limit: 2 }, save: { second: '/next' } }
  const second = { as: 'all', method: 'GET', path: '{second}', expect: { body: { count: 77 } } }
  const { exchange } = await startStory([list, second], { baseUrl, onlyRecorded: false })
  const ask = async (url: string) => (await exchange(url, initOf('GET', {}))).json()

  const { next } = await ask(`${baseUrl}${annotationsPath}?limit=2`)

  expect(await ask(next)).toMatchObject({ count: 77 })
  expect(await ask(`${baseUrl}${annotationsPath}?limit=1`)).toMatchObject({ count: 6 })
})

test('the journal contains the recorded responses', async () => {
  const { ask, playback } = await startStory([createStep])

  await ask('POST', annotationsPath, { body: { content: 'Launch' } })
  await ask('GET', '/api/nowhere/')
  await ask('POST', annotationsPath, { body: { content: 'Other' } })

  expect(playback.simulator.journal.find()).toMatchObject([
    { operation: 'createAnnotation', response: { status: 201, body: { content: 'Launched!' } } },
    { operation: null, response: { status: 500, body: { code: 'not_recorded' } } },
    { operation: 'createAnnotation', request: { body: { content: 'Other' } } },
  ])
})

test('beside a simulation, too, the journal contains the recorded responses, with their reasons', async () => {
  const refused = { status: 502, body: { detail: 'The service is down.' } }
  const broken = { ...readStep, expect: refused }
  const { ask, playback } = await startStory([broken], { onlyRecorded: false })
  const { journal } = playback.simulator

  const received = await ask('GET', `${annotationsPath}1/`)

  expect(received).toMatchObject(refused)
  expect(journal.find()).toMatchObject([
    { operation: 'retrieveAnnotation', response: refused, reason: '502: The service is down' },
  ])
})

test('a request to a sandbox is not answered from the recording', async () => {
  const { ask, playback } = await startStory([createStep])
  const { keys } = playback.simulator.sandboxes.create({ from: 'empty' })

  const answer = await ask('GET', '/api/projects/', { key: keys[0]?.value ?? '' })

  expect(answer).toMatchObject({ status: 200, body: { count: 1 } })
})

test('a request that needs a value which is not saved yet is not recorded, also after rewind', async () => {
  const { ask, playback } = await startStory([
    { ...listStep, expect: { status: 200 }, save: { id: '/results/0/id' } },
    { as: 'all', method: 'GET', path: `${annotationsPath}{id}/`, expect: { status: 200 } },
  ])

  const early = await ask('GET', `${annotationsPath}5/`)
  await ask('GET', annotationsPath)
  const late = await ask('GET', `${annotationsPath}5/`)
  const { unused } = playback
  playback.rewind()
  const again = await ask('GET', `${annotationsPath}5/`)

  expect([early.body, again.body]).toMatchObject(Array(2).fill({ code: 'not_recorded' }))
  expect([late.status, unused]).toEqual([200, []])
})

test('a change that the world refuses makes every response an error', async () => {
  const story = createStory([{ delete: { plugins: [99] } }, readStep])
  const { ask } = await startPlayback(story)

  const { status, body } = await ask('GET', `${annotationsPath}1/`)

  expect(status).toBe(500)
  expect(body).toMatchObject({
    code: 'not_playable',
    detail: expect.stringContaining('steps[0]: '),
  })
})

test('an exception of a listener is passed to onError, and is no defect of the recording', async () => {
  const onError = vi.fn()
  const onUnexpected = () => {
    throw new Error('mine')
  }
  const { ask } = await startStory([readStep], { onUnexpected, onError })

  const { status, body } = await ask('GET', annotationsPath)

  expect([status, body]).toEqual([
    500,
    { type: 'server_error', code: 'error', detail: 'A server error occurred.', attr: null },
  ])
  expect(onError.mock.calls).toEqual([[new Error('mine')]])
})
