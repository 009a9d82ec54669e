import { expect } from 'vitest'
import { parseKeys } from '../../../src/analysis/observe/keys.ts'
import type { PolicyId } from '../../../src/policies/policies.ts'
import { createRandom } from '../random.ts'
import { observeSimulator } from './hidden-server.ts'
import { createWrittenServer } from './written-server.ts'

/** Observes a hand-written server, and compares each value that it claims with how the server was written. */
export async function checkClaims(seed: number): Promise<void> {
  const { habits, rows, fetch, truth } = createWrittenServer(createRandom(seed))

  const keys = parseKeys({ all: 'phx_all' })
  const { findings, left, notes } = await observeSimulator({ fetch }, { keys })

  const about = `seed ${seed}: ${JSON.stringify(habits)}`
  const claimed = findings.filter(({ value }) => value !== null)
  const wrong = claimed.filter(({ id, value }) => value !== truth[id as PolicyId])
  expect(
    wrong.map(({ id, value }) => [id, value]),
    about,
  ).toEqual([])
  expect(
    rows.slice(0, 30).map(({ content }) => content),
    about,
  ).toEqual(Array.from({ length: 30 }, (_, index) => `Row ${index + 1}`))
  expect(
    rows.slice(0, 30).some(({ deleted }) => deleted),
    about,
  ).toBe(false)
  const kept = rows.slice(30).filter(({ deleted }) => !deleted)
  expect({ kept, left }, about).toEqual({ kept: [], left: [] })
  const texts = notes.join('\n')
  expect(texts.includes('accepts'), about).toBe(habits.keys !== 'checked')
  expect(texts.includes('needs the trailing slash'), about).toBe(habits.slash === 'needed')
  const isRefused = habits.slash === 'refused' || habits.slash === 'redirected'
  expect(texts.includes('refuses the trailing slash'), about).toBe(isRefused)
}
