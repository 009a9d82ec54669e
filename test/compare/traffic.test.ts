import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareTraffic } from '../../src/compare/compare-traffic.ts'
import { generate } from '../../src/factories.ts'
import { toReplaying } from '../../src/import/answers.ts'
import { importExchanges } from '../../src/import/import-exchanges.ts'
import { parseScenario } from '../../src/scenarios/format/check-scenario.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { authorization } from '../support/api/headers.ts'
import { annotationsPath, pluginsPath } from '../support/api/paths.ts'
import { documents, randomRequests, send } from '../support/api/random-requests.ts'
import { foundIn, wrongIn } from '../support/compare/compare-server.ts'
import { isLong } from '../support/long.ts'
import { createRandom } from '../support/random.ts'
import { createPage, createRow, createTraffic } from '../support/scenarios/traffic.ts'
import { someSettings } from './random-settings.ts'

const keys = ['phx_all', 'phx_all', 'phx_old', 'phx_none', 'phx_annotation_write', 'phx_unknown']
test('the last page alone shows the default limit, by its link to the page before it', async () => {
  const settings = { 'annotations.list.limit.default': 4 }
  const service = createSimulator({ settings })
  await service.fetch(`${annotationsPath}?offset=4`, { headers: authorization() })
  const { scenario } = service.record()

  const comparison = await compareTraffic(parseScenario(scenario), { nameOf: String })

  expect(foundIn(comparison)).toMatchObject(settings)
  expect(comparison.unexplained).toEqual([])
})

test('a longest page of 1,000 rows may show the maximum, not the default limit', async () => {
  const annotations = Array(1_001).fill({ project: 1, deleted: false })
  const world = generate({ projects: [{ id: 1 }], annotations })
  const service = createSimulator({ world, journal: { body: 10_000_000 } })
  await service.fetch(annotationsPath, { headers: authorization(service.defaults.key) })
  const { scenario } = service.record()

  const { settings } = await compareTraffic(parseScenario(scenario), { nameOf: String })

  const limit = settings.find(({ id }) => id === 'annotations.list.limit.default')
  expect(limit?.open?.sentence).toBe('1000 may be the maximum, which hides it.')
})

test('a page with a maximum that no simulator has is a page of its own', async () => {
  const link = `https://api.example.com${annotationsPath}?limit=1&offset=1`
  const page = { count: 2, next: link, previous: null, results: [createRow(4, 'A')] }

  const { scenario } = await importExchanges(
    createTraffic({ url: `${annotationsPath}?limit=9`, received: page }),
    {},
  )

  expect(scenario.settings).toBeUndefined()
})

test('a success with another status, and a refusal in other words, end no comparison', async () => {
  const change = { method: 'PATCH', url: `${annotationsPath}4/`, sent: { content: 'B' } }
  const gone = { type: 'invalid_request', code: 'not_found', detail: 'Fehlt.', attr: null }
  const imported = await importExchanges(
    createTraffic(
      { url: `${annotationsPath}4/`, received: createRow(4, 'A') },
      { ...change, status: 202, received: createRow(4, 'B') },
      { method: 'POST', sent: { scope: 'none' }, status: 422, received: gone },
      { url: `${annotationsPath}9/`, status: 404, received: gone },
      { method: 'DELETE', url: `${annotationsPath}4/`, status: 404, received: gone },
    ),
    {},
  )
  const { scenario } = await toReplaying(imported, imported.scenario)

  const comparison = await compareTraffic(parseScenario(scenario), { nameOf: String })

  expect(comparison.not_compared).toEqual([])
  expect(comparison.unexplained.map(({ part, got }) => [part, got])).toEqual([
    ['status', '202'],
    ['status', '422'],
    ['field detail', '"Fehlt."'],
  ])
  expect(foundIn(comparison)).toMatchObject({ 'annotations.delete.status': '404' })
})

const seeds = Array.from({ length: isLong ? 100 : 3 }, (_, seed) => seed)

test.each(seeds)('traffic of random clients shows no wrong value: seed %i', async (seed) => {
  const random = createRandom(seed)
  // A recording has the value of a body, not its bytes.
  const { 'limits.body': _, ...hidden } = someSettings(random, 1 + random.below(8))
  const service = createSimulator({ settings: hidden, clock: '2024-06-15T12:00:00Z' })
  const requests = randomRequests(documents.documented, keys)
  for (const request of fc.sample(requests, { seed, numRuns: 5 + random.below(20) }))
    await send(service, request)
  const { scenario } = service.record({ title: 'Random traffic' })

  const comparison = await compareTraffic(parseScenario(scenario), { nameOf: String })

  expect(wrongIn(comparison, resolveSettings('documented', hidden))).toEqual({})
  expect(comparison.unexplained).toEqual([])
})

test('two statuses of refusals, in other words, leave the one of a missing scope open', async () => {
  const refuse = (status: number, detail: string) => ({ status, received: { detail } })
  const row = { method: 'POST', sent: { content: 'B' } }
  const source = { url: `${pluginsPath}3/source/`, ...refuse(403, 'Keine Berechtigung.') }
  const traffic = createTraffic(
    { received: createPage(createRow(4, 'A')) },
    source,
    { ...source, bearer: 'phx_other' },
    { received: createPage(createRow(4, 'A')), bearer: 'phx_other' },
    { ...row, ...refuse(404, 'Nicht gefunden.'), bearer: 'phx_other' },
  )

  const { scenario } = await importExchanges(traffic, {})
  const comparison = await compareTraffic(parseScenario(scenario), { nameOf: String })

  expect(foundIn(comparison)).not.toHaveProperty(['keys.insufficient.status'])
  const open = comparison.settings.find(({ id }) => id === 'keys.insufficient.status')?.open
  expect(open?.sentence).toMatch('the responses with 404, too')
})

test('the header Allow of a 405 says neither which other responses have it, nor that PUT works', async () => {
  const service = createSimulator({ profile: 'live' })
  for (const method of ['GET', 'DELETE'])
    await service.fetch(`${annotationsPath}1/`, { method, headers: authorization() })

  const { scenario } = service.record()
  const comparison = await compareTraffic(parseScenario(scenario), { nameOf: String })

  expect(foundIn(comparison)).not.toHaveProperty(['methods.put'])
  const open = comparison.settings.find(({ id }) => id === 'headers.allow')?.open
  expect(open?.word).toBe('only_405')
})
