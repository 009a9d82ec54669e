import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/cli/command.ts'
import { runInTerminal } from '../support/cli/terminal.ts'
import { temporaryFile, temporaryFolder } from '../support/files.ts'
import { root } from '../support/root.ts'

const bar = /█.* \d+ %/

test('rows that are generated show how far they are, on a terminal', async () => {
  const file = temporaryFile({ generate: { annotations: 30_000 } })

  const shown = await runInTerminal(['validate', file])

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

  const shown = await runInTerminal([
    'import',
    file,
    '--out',
    join(temporaryFolder(), 'story.json'),
  ])

  expect(shown).toMatch(/Importing .* \d+ %/)
})

test('a replay whose lines go elsewhere shows how far it is, and one whose lines are seen does not', async () => {
  const step = { as: 'all', method: 'GET', path: '/api/projects/1/annotations/' }
  const steps = Array.from({ length: 6_000 }, () => step)
  const file = temporaryFile({ title: 'A long story', steps })

  const [elsewhere, here] = [
    await runInTerminal(['replay', file], {}, { isStdoutShown: false }),
    await runInTerminal(['replay', file, '--until', '3']),
  ]

  expect(elsewhere).toMatch(/Replaying .* \d+ %/)
  expect(here).toMatch(/✓.* 3 GET/)
  expect(here).not.toMatch(bar)
})

test('in pipes, in continuous integration and on a dumb terminal there is no bar', async () => {
  const file = temporaryFile({ generate: { annotations: 30_000 } })

  const [piped, ci, dumb] = [
    (await run(['validate', file])).stderr,
    await runInTerminal(['validate', file], { CI: 'true' }),
    await runInTerminal(['validate', file], { TERM: 'dumb' }),
  ]

  expect(piped).toBe('')
  for (const shown of [ci, dumb]) expect(shown).not.toMatch(/Generating|█/)
})
