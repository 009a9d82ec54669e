import { expect, test } from 'vitest'
import { findClientMistakes } from '../../src/mistakes/client-mistakes.ts'
import type { JournalEntry } from '../../src/simulator/journal/entry.ts'
import { createSimulator } from '../../src/simulator.ts'
import { jsonHeaders } from '../support/api/headers.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { createRandom } from '../support/random.ts'

/** The entries of a client that makes some mistakes. */
async function createEntries(): Promise<JournalEntry[]> {
  const simulator = createSimulator({ clock: '2024-06-15T12:00:00Z' })
  const headers = jsonHeaders()
  const send = (method: string, path: string, body?: object) =>
    simulator
      .fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      .catch(() => {})
  simulator.faults.add({
    operation: 'createAnnotation',
    when: { times: 2 },
    phase: 'after-commit',
    effect: { drop: true },
  })
  await send('GET', `${annotationsPath}?limit=3`)
  await send('GET', `${annotationsPath}?limit=3&offset=2`)
  await send('POST', annotationsPath, { content: 'x', icon: 'y' })
  await send('POST', annotationsPath, { content: 'x', icon: 'y' })
  await send('PATCH', `${annotationsPath}4/`, { content: 'y', scope: 'project' })
  await send('DELETE', `${annotationsPath}4/`)
  await send('GET', '/api/organizations/1/plugins/')
  return simulator.journal.find()
}

/** Values that faults and other clients can put anywhere into a message. */
const odd = [
  null,
  0,
  -1,
  '',
  'x',
  [],
  [null],
  {},
  { id: null },
  { results: [null], count: 1 },
  true,
]

test('entries with any bodies and headers are checked', async () => {
  const entries = await createEntries()
  const random = createRandom(7)
  const anything = () => odd[random.below(odd.length)]

  for (let round = 0; round < 300; round++) {
    const changed = entries.map((entry) => ({
      ...entry,
      query: { offset: String(anything()), limit: String(anything()) },
      request: { ...entry.request, body: anything() },
      response: {
        ...entry.response,
        status: [0, 200, 201, 405, 429, 503][random.below(6)] as number,
        body: random.below(2)
          ? anything()
          : { count: 1, results: anything(), next: anything(), previous: anything() },
      },
      fault: random.below(2)
        ? { id: 'f', phase: 'after-commit', effect: anything() as never }
        : null,
    }))
    expect(findClientMistakes(changed)).toBeInstanceOf(Array)
  }
})
