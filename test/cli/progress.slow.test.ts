import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { root, run } from '../support/cli/command.ts'
import { inTerminal } from '../support/cli/terminal.ts'
import { temporaryFile, temporaryFolder } from '../support/files.ts'

// Rows by the ten thousand are made, and machines are busy.
vi.setConfig({ testTimeout: 60_000 })
afterAll(() => vi.resetConfig())

const bar = /█.* \d+ %/

test('rows that are generated show how far they are, on a terminal', async () => {
  const file = temporaryFile({ generate: { annotations: 30_000 } })

  const shown = await inTerminal(['validate', file])

  expect(shown).toMatch(/Generating rows .* \d+ %/)
  expect(shown).toMatch(bar)
  expect(shown.trimEnd()).toMatch(/30000 annotations, 0 activity\.$/)
})

test('an archive that is imported shows how much of it is read', async () => {
  const { log } = JSON.parse(
    readFileSync(join(root, 'test', 'adapters', 'har', 'archives', 'chromium.har'), 'utf8'),
  )
  const entries = Array.from(
    { length: 8_000 },
    (_, index) => log.entries[index % log.entries.length],
  )
  const file = temporaryFile({ log: { ...log, entries } })

  const shown = await inTerminal(['import', file, '--out', join(temporaryFolder(), 'story.json')])

  expect(shown).toMatch(/Importing .* \d+ %/)
})

test('a replay whose lines go elsewhere shows how far it is, and one whose lines are seen does not', async () => {
  const step = { as: 'all', method: 'GET', path: '/api/projects/1/annotations/' }
  const steps = Array.from({ length: 6_000 }, () => step)
  const file = temporaryFile({ title: 'A long story', steps })

  const [elsewhere, here] = [
    await inTerminal(['replay', file], {}, ' > /dev/null'),
    await inTerminal(['replay', file, '--until', '3']),
  ]

  expect(elsewhere).toMatch(/Replaying .* \d+ %/)
  expect(here).toMatch(/✓.* 3 GET/)
  expect(here).not.toMatch(bar)
})

test('in pipes, in continuous integration and on a dumb terminal there is no bar', async () => {
  const file = temporaryFile({ generate: { annotations: 30_000 } })

  const [piped, ci, dumb] = [
    (await run(['validate', file])).stderr,
    await inTerminal(['validate', file], { CI: 'true' }),
    await inTerminal(['validate', file], { TERM: 'dumb' }),
  ]

  expect(piped).toBe('')
  for (const shown of [ci, dumb]) expect(shown).not.toMatch(/Generating|█/)
})
