import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findClientMistakes } from '../../src/index.ts'
import { readScenario } from '../../src/node.ts'
import type { JournalEntry } from '../../src/simulator/journal/entry.ts'
import { createSimulator } from '../../src/simulator.ts'
import { root } from '../support/cli/command.ts'

/** The scenarios that show a mistake, and its rules. All others show none. */
const mistakes: Readonly<Record<string, readonly string[]>> = {
  'first-validation-error-only.json': ['ignored-input'],
  'list-changes-between-pages.json': ['repeated-row'],
  'pagination-links.json': ['ignored-input'],
  'two-editors-last-write-wins.json': ['undone-change'],
  'create-and-delete-a-plugin.json': ['ignored-input'],
  'documented-vs-live-profile.json': ['swallowed-delete'],
}

const files = readdirSync(`${root}scenarios`).filter(
  (name) => name.endsWith('.json') && !name.includes('schema'),
)

test.each(files)('the mistakes in %s', async (file) => {
  const scenario = await readScenario(`${root}scenarios/${file}`)
  const entries: JournalEntry[] = []

  const result = await createSimulator().replay(scenario, {
    wrapTarget: (target) => ({
      ...target,
      async send(request) {
        const response = await target.send(request)
        const entry = await target.latest()
        if (entry) entries.push(entry)
        return response
      },
    }),
  })

  expect(result.passed).toBe(true)
  expect(findClientMistakes(entries).map(({ rule }) => rule)).toEqual(mistakes[file] ?? [])
})
