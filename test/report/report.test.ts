import { expect, test } from 'vitest'
import { withTitle } from '../../src/report/failed-requests.ts'
import { emptyUsage, mergeUsage, ServedRun } from '../../src/report/usage.ts'
import { evidences } from '../../src/settings/evidence.ts'
import { annotationPath, annotationsPath } from '../support/api/paths.ts'
import { start } from '../support/transports/start.ts'

test('a report has the client mistakes and the settings that its requests depend on', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ operation: 'listProjects', effect: { error: 'throttled' } })
  await ask('GET', `${annotationsPath}?limit=2&serch=x`)
  await ask('GET', `${annotationsPath}?limit=2`)
  await ask('POST', annotationsPath, { body: { content: 'Launch', contnt: 'x' } })
  await ask('DELETE', `${annotationsPath}1/`)
  await ask('GET', '/api/projects/')
  await ask('GET', '/api/unknown/')

  const { settings, mistakes, ...counts } = await simulator.report()

  expect(counts).toEqual({ requests: 6, not_covered: 0, unmatched: 1, faults: 1 })
  expect(mistakes).toEqual(simulator.journal.mistakes())
  expect(mistakes.map(({ rule }) => rule)).toContain('ignored-input')
  expect(settings.find(({ id }) => id === 'annotations.delete.status')).toEqual({
    id: 'annotations.delete.status',
    question: 'What does DELETE …/annotations/:id return?',
    values: ['405'],
    evidence: 'assumed',
    source: 'the documentation says that the caller is told to use PATCH, and shows no status',
    requests: 1,
  })
  expect(settings.find(({ id }) => id === 'plugins.create.required')).toBeUndefined()
  const order = settings.map(({ evidence }) => evidences.indexOf(evidence))
  expect(order).toEqual(order.toSorted())
})

const placesAndStatuses = [
  { 'keys.places': 'header', 'annotations.delete.status': '405' },
  { 'keys.places': 'header_body_query', 'annotations.delete.status': '404' },
] as const

test.each([[placesAndStatuses], [placesAndStatuses.toReversed()]])(
  'of the values %j that settings had, the least certain ones count',
  async (values) => {
    const { ask, simulator } = await start()
    for (const value of values) {
      simulator.settings.set(value)
      await ask('DELETE', annotationPath)
      await ask('GET', annotationsPath, { key: null })
    }
    simulator.settings.set({ 'annotations.delete.status': '405' })

    const { settings } = await simulator.report()

    const places = values.map((value) => value['keys.places'])
    expect(settings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'keys.places', values: places, evidence: 'source' }),
        expect.objectContaining({
          ...{ id: 'annotations.delete.status', values: ['404', '405'], evidence: 'assumed' },
          requests: 2,
        }),
      ]),
    )
  },
)

test('the body limit counts only for a body that it could refuse, and the setting of a header for a response that has it', async () => {
  const { ask, simulator } = await start()
  const ids = ['limits.body', 'limits.retry_after']
  const listed = async () => {
    const { settings } = await simulator.report()
    return ids.filter((id) => settings.some((setting) => setting.id === id))
  }

  await ask('POST', annotationsPath, { body: { content: 'Launch' } })
  const before = await listed()
  await ask('POST', annotationsPath, { body: { content: 'x'.repeat(1_100_000) } })
  simulator.faults.add({ effect: { error: 'throttled', retry_after_s: 5 } })
  await ask('GET', annotationsPath)
  const absent = await listed()
  simulator.settings.set({ 'limits.retry_after': 'present' })
  await ask('GET', annotationsPath)

  expect([before, absent, await listed()]).toEqual([[], ['limits.body'], ids])
})

test('a report says how many requests the journal no longer has', async () => {
  const { ask, simulator } = await start({ journal: { entries: 2 } })
  for (let count = 0; count < 5; count++) await ask('GET', annotationsPath)

  expect(await simulator.report()).toMatchObject({ requests: 2, not_covered: 3 })
})

test('the requests to two sandboxes are counted together', async () => {
  const { ask, simulator } = await start()
  const run = new ServedRun(simulator)
  for (const { id, key } of [simulator.sandboxes.create(), simulator.sandboxes.create()]) {
    simulator.sandboxes.get(id)?.faults.add({ method: 'GET', effect: { status: 503 } })
    await ask('GET', annotationsPath, { key })
    await ask('GET', '/api/unknown/', { key })
  }

  expect(run.report()).toMatchObject({ requests: 4, faults: 2, unmatched: 2 })
})

test('what the parts of a run could not cover is added', () => {
  const [usage, part] = [emptyUsage(), { ...emptyUsage(), not_covered: 2, faults: 1 }]
  for (const _ of [1, 2]) mergeUsage(usage, part)

  expect(usage).toEqual({ ...emptyUsage(), not_covered: 4, faults: 2 })
})

test.each([
  [9, [], 'Requests to the simulator, the latest last:'],
  [10, [], 'The last 10 requests to the simulator:'],
  [0, ['GET / waits.'], 'GET / waits.'],
  [0, [], 'The journal has no requests.'],
])('of %i requests, and those that wait: %j', (count, waiting, title) => {
  expect(withTitle(Array(count).fill('200 GET /'), waiting)[0]).toBe(title)
})

test('without a journal there is no report', async () => {
  const { simulator } = await start({ journal: { entries: 0 } })

  await expect(simulator.report()).rejects.toThrow(
    'A report needs the journal. Start with journal.entries above 0.',
  )
})
