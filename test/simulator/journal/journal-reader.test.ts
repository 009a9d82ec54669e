import { expect, test } from 'vitest'
import type { JournalReader } from '../../../src/simulator/journal/journal-reader.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { annotationsPath, noon } from '../../support/api/paths.ts'
import { initOf } from '../../support/transports/client.ts'

/** A simulator that received these requests, in order. */
async function startWith(...requests: (readonly [method: string, path: string])[]) {
  const simulator = createSimulator({ clock: noon, baseUrl: 'http://service.test' })
  const send = (method: string, path: string) => simulator.fetch(path, initOf(method, {}))
  for (const [method, path] of requests) await send(method, path)
  return { simulator, send, journal: simulator.journal }
}

test('all ways to read the journal show the same entries', async () => {
  const { journal } = await startWith(
    ['GET', annotationsPath],
    ['GET', '/api/x/'],
    ['GET', annotationsPath],
  )
  const [first, second, third] = journal.find()

  expect([first?.id, second?.id, third?.id]).toEqual([1, 2, 3])
  expect([1, 2, 3, 4].map((id) => journal.get(id))).toEqual([first, second, third, undefined])
  expect(journal.find({ unmatched: true })).toEqual([second])
  expect(journal.find({ limit: 1 })).toEqual([third])
  expect(journal.toHar({ limit: 1 }).log.entries.map(({ request }) => request.url)).toEqual([
    `http://service.test${annotationsPath}`,
  ])
  expect(journal.verify({ operation: 'listAnnotations', count: 2 }).passed).toBe(true)
  journal.clear()
  expect([journal.find(), journal.get(1), journal.toHar().log.entries]).toEqual([[], undefined, []])
})

test.each<[name: string, follow: (journal: JournalReader, ids: number[]) => () => void]>([
  ['entries', (journal, ids) => journal.follow(({ id }) => ids.push(id))],
  ['written entries', (journal, ids) => journal.followWritten(({ record }) => ids.push(record.id))],
])('a listener of %s is called until it stops', async (_name, follow) => {
  const { journal, send } = await startWith(['GET', annotationsPath])
  const ids: number[] = []

  const stop = follow(journal, ids)
  await send('GET', annotationsPath)
  await send('GET', '/api/x/')
  stop()
  await send('GET', annotationsPath)

  expect(ids).toEqual([2, 3])
})

test('a listener is not called when its journal closes', async () => {
  const { simulator } = await startWith()
  const { id } = simulator.sandboxes.create()
  const received: unknown[] = []
  const inner = simulator.sandboxes.get(id)
  inner?.journal.follow((entry) => received.push(entry))

  simulator.sandboxes.delete(id)

  expect(received).toEqual([])
})

test('keys of URLs are masked with the current keys, and with those that are gone', async () => {
  const { simulator, journal } = await startWith()
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
