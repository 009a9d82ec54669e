import { expect, test } from 'vitest'
import { compactRecord } from '../../../../src/sandbox/journal/record.ts'
import { createSimulator, type Simulator } from '../../../../src/simulator.ts'
import { authorization } from '../../../support/api/write-rows.ts'

const list = '/api/projects/1/annotations/'
const clock = '2024-06-15T12:00:00Z'

function get(simulator: Simulator, path = list): Promise<Response> {
  return simulator.fetch(path, { headers: authorization('phx_all') })
}

function send(simulator: Simulator, body: unknown, headers = {}): Promise<Response> {
  return simulator.fetch(`${list}1/`, {
    method: 'PATCH',
    headers: { ...authorization('phx_all'), 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

test('by default 1,000 entries are kept', async () => {
  const simulator = createSimulator({ clock })
  for (let count = 0; count < 1_003; count++) await get(simulator, `${list}1/`)

  const ids = simulator.journal.find().map(({ id }) => id)

  expect([ids.length, ids[0], ids.at(-1)]).toEqual([1_000, 4, 1_003])
})

test('bytes are bounded, bodies and headers alike', async () => {
  const kept = async (body: unknown, headers = {}) => {
    const simulator = createSimulator({ clock, journal: { bytes: 100_000 } })
    for (let count = 0; count < 200; count++) await send(simulator, body, headers)
    return simulator.journal.find().length
  }

  const plain = await kept({ content: 'x' })
  const headed = await kept({ content: 'x' }, { 'x-note': 'n'.repeat(5_000) })
  const large = await kept({ content: 'x', ignored: 'y'.repeat(5_000) })

  expect(plain).toBeGreaterThan(30)
  expect(headed).toBeGreaterThan(10)
  expect(headed).toBeLessThan(20)
  expect(large).toBeLessThan(20)
})

test('a body of more than a quarter of it is left out, and the entry stays', async () => {
  const simulator = createSimulator({ clock, journal: { bytes: 40_000 } })
  await send(simulator, { content: 'x', ignored: 'y'.repeat(20_000) })

  expect(simulator.journal.find()).toMatchObject([
    {
      id: 1,
      request: { body: null, bytes: 20_028, omitted: true },
      answer: { status: 200, body: { content: 'x' }, omitted: false },
    },
  ])
  expect(
    simulator.journal.verify({ operation: 'updateAnnotation', body: { content: 'x' } }).message,
  ).toContain('body: expected {"content":"x"}, got 20028 bytes that were not kept')
})

test('a body that the service refused to read is told by its length', async () => {
  const simulator = createSimulator({ clock, policies: { 'limits.body': 100 } })
  await send(simulator, { content: 'x'.repeat(200) }, { 'content-length': '214' })

  expect(simulator.journal.find()).toMatchObject([
    { request: { body: null, omitted: true }, answer: { status: 413 } },
  ])
})

test('nothing that is kept holds on to more than it shows', () => {
  const pool = new ArrayBuffer(65_536)
  const kept = {
    requestBody: new Uint8Array(pool, 100, 5),
    response: { status: 200, headers: {}, text: '{}', ascii: true, stream: [] },
    fault: { id: 'fault-1', phase: 'before', effect: { drop: true }, disturb: () => pool },
  }

  compactRecord(kept as never, 1_000)

  expect(kept.requestBody.buffer.byteLength).toBe(5)
  expect(kept.response).toEqual({ status: 200, headers: {}, text: '{}', ascii: true })
  expect(kept.fault).toEqual({ id: 'fault-1', phase: 'before', effect: { drop: true } })
})

test('the history of rows is bounded too, and says where it ends', async () => {
  const simulator = createSimulator({ clock })
  await send(simulator, { content: 'First' })
  const early = simulator.why('annotation', 1)?.fields.find(({ field }) => field === 'content')
  for (let count = 0; count < 10_000; count++) {
    simulator.world.annotations.update(2, { content: `Number ${count}` })
  }

  const late = simulator.why('annotation', 1)?.fields.find(({ field }) => field === 'content')

  expect(early?.since).toMatchObject({ entry: 1 })
  expect(late).toEqual({ field: 'content', value: 'First', since: 'no longer known' })
  expect(simulator.why('annotation', 2)?.fields[1]?.since).toEqual({ edit: 'world' })
})

test('a limit that is none is refused', () => {
  const make = (entries: unknown) => () => createSimulator({ journal: { entries } as never })

  expect(make(-1)).toThrowError(
    'Failed to limit the journal: expected entries to be a whole number from 0 on, got -1.',
  )
  expect(make('many')).toThrowError(expect.objectContaining({ field: 'journal.entries' }))
  expect(make(Number.NaN)).toThrowError('expected entries to be a whole number')
})
