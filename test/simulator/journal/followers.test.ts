import { expect, test } from 'vitest'
import type { Simulator, Snapshot } from '../../../src/index.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/transports/start.ts'

test.each<[what: string, react: (simulator: Simulator, start: Snapshot) => void]>([
  ['moves the clock', ({ clock }) => clock.advance({ hours: 1 })],
  ['restores the rows', (simulator, rows) => simulator.restore(rows)],
])('a listener that %s while a request writes leaves its entry whole', async (_, react) => {
  const { ask, simulator } = await start()
  const rows = simulator.snapshot()
  const stop = simulator.onChange(() => {
    stop()
    react(simulator, rows)
  })

  const { status } = await ask('POST', annotationsPath, { body: { content: 'Launch' } })

  expect(status).toBe(201)
  expect(simulator.journal.find()).toMatchObject([
    { response: { status: 201 }, changes: [{ list: 'annotations', kind: 'created' }] },
  ])
})

test('a follower sees entries masked with the current keys', async () => {
  const { ask, simulator } = await start()
  const received: unknown[] = []
  const stop = simulator.journal.follow(({ path, key }) => received.push([path, key?.label]))
  const [value, later] = ['issued-while-followed', 'issued-in-the-next-world']

  await ask('GET', `/api/${value}/`)
  simulator.keys.issue({ value, label: 'late' })
  await ask('GET', `/api/${value}/`, { key: value })
  simulator.keys.revoke(value)
  await ask('GET', `/api/${value}/`, { key: value })
  simulator.reset()
  await ask('GET', `/api/${value}/`, { key: value })
  simulator.keys.issue({ value: later, label: 'later' })
  simulator.replaceWorld('empty')
  await ask('GET', `/api/${later}/`, { key: later })
  stop()
  await ask('GET', annotationsPath)

  expect(received).toEqual([
    [`/api/${value}/`, 'all'],
    ['/api/issu…owed/', 'late'],
    ['/api/issu…owed/', 'late'],
    ['/api/issu…owed/', 'late'],
    ['/api/issu…orld/', 'later'],
  ])
})

test('a listener is not called when its journal closes', () => {
  const simulator = createSimulator()
  const { id } = simulator.sandboxes.create()
  const received: unknown[] = []
  const inner = simulator.sandboxes.get(id)
  inner?.journal.follow((entry) => received.push(entry))

  simulator.sandboxes.delete(id)

  expect(received).toEqual([])
})

test('keys of URLs are masked with the current keys, and with those that are gone', () => {
  const simulator = createSimulator()
  const { journal } = simulator
  const url = 'http://a.test/first-key/?b=second-key'
  const shown = [journal.redactUrl(url)]

  simulator.keys.issue({ value: 'first-key' })
  shown.push(journal.redactUrl(url))
  simulator.keys.issue({ value: 'second-key' })
  shown.push(journal.redactUrl(url))
  simulator.keys.revoke('first-key')
  simulator.reset()
  shown.push(journal.redactUrl(url))

  const mask = '%E2%80%A6'
  expect(shown).toEqual([
    url,
    `http://a.test/…/?b=second-key`,
    `http://a.test/…/?b=${mask}`,
    `http://a.test/…/?b=${mask}`,
  ])
})
