import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'

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
