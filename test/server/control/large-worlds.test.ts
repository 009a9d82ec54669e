import { request } from 'node:http'
import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { annotationsPath } from '../../support/api/paths.ts'
import { collectErrors } from '../../support/errors.ts'
import { start } from '../../support/lanes/start.ts'

const world = '/__admin/world'
const headers = { 'content-type': 'application/json' }

/** A world whose text has more than a mebibyte, the limit of the service. */
const largeWorld = {
  ...defaultWorld,
  annotations: Array.from({ length: 2_000 }, (_, index) => ({
    ...defaultWorld.annotations[1],
    id: index + 1,
    content: 'Launch 🦔 '.repeat(30),
  })),
}
const largeText = JSON.stringify(largeWorld)

test('a large world that is put can be read back', async () => {
  const { control, simulator } = await start({ world: 'empty' })

  const put = await control('PUT', world, { headers, raw: largeText })

  expect(put).toMatchObject({ status: 200, body: { annotations: 2_000 } })
  const read = await control('GET', world)
  expect(JSON.stringify(read.body)).toBe(JSON.stringify(simulator.world))
  expect(JSON.stringify(read.body)).toContain(largeWorld.annotations[1999]?.content)
})

const [last] = largeWorld.annotations.slice(-1)

const refused: readonly [what: string, raw: string, status: number, detail: string][] = [
  ['an incomplete text', largeText.slice(0, -2), 400, 'JSON parse error: '],
  [
    'a wrong row at its end',
    JSON.stringify({ ...largeWorld, annotations: [...largeWorld.annotations, { ...last, id: 1 }] }),
    400,
    'Failed to load the world: 1 problem. Nothing was loaded.\n  annotations[2000].id: ',
  ],
  ['a list', `[${largeText}]`, 400, 'expected a world, or its name, got [{'],
  [
    'a text',
    JSON.stringify(largeText),
    400,
    'Failed to find the world: expected one of default, empty',
  ],
]

test.each(refused)('%s is refused as a large world, and nothing changes', async (...row) => {
  const [, raw, status, detail] = row
  const { errors, onError } = collectErrors()
  const { ask, control, simulator } = await start({ onError }, { onError })
  const before = simulator.world.toJSON()

  const response = await control('PUT', world, { headers, raw })

  expect(response).toMatchObject({ status, body: { detail: expect.stringContaining(detail) } })
  expect((await ask('GET', annotationsPath)).status).toBe(200)
  expect(simulator.world.toJSON()).toEqual(before)
  expect(errors).toEqual([])
})

test('a large body of another media type is refused', async () => {
  const { control } = await start()

  const response = await control('PUT', world, {
    headers: { 'content-type': 'text/plain' },
    raw: largeText,
  })

  expect(response).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
})

test('of two large worlds that are put at once, one replaces the other as a whole', async () => {
  const { control, simulator } = await start()
  const other = { ...largeWorld, annotations: largeWorld.annotations.slice(500), seed: 7 }

  const puts = await Promise.all([
    control('PUT', world, { headers, raw: largeText }),
    control('PUT', world, { headers, raw: JSON.stringify(other) }),
  ])

  expect(puts.map(({ status }) => status)).toEqual([200, 200])
  const { seed, counts } = simulator.world
  expect(seed === 7 ? 1_500 : 2_000).toBe(counts.annotations)
})

test('a client that goes away in the middle of a large world changes nothing', async () => {
  const { errors, onError } = collectErrors()
  const { control, origin, simulator } = await start({ onError }, { onError })
  const before = simulator.world.toJSON()
  const sent = request(`${origin}${world}`, { method: 'PUT', headers }).on('error', () => {})

  await new Promise((resolve) => sent.write(largeText.slice(0, -100), resolve))
  sent.destroy()
  await new Promise((resolve) => sent.once('close', resolve))

  for (let count = 0; count < 5; count++) await control('GET', '/__admin/health')
  expect(simulator.world.toJSON()).toEqual(before)
  expect(errors).toEqual([])
})
