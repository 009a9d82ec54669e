import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runInTerminal } from '../support/cli/terminal.ts'
import { temporaryFile, temporaryFolder } from '../support/files.ts'
import { root } from '../support/root.ts'

const bar = /█.* \d+ %/

test('validate shows a bar for generated rows', async () => {
  const file = temporaryFile({ generate: { annotations: 30_000 } })

  const shown = await runInTerminal(['validate', file])

  expect(shown).toMatch(/Generating rows .* \d+ %/)
  expect(shown).toMatch(bar)
  expect(shown.trimEnd()).toMatch(/30000 annotations, 0 activity entries\.$/)
})

test('import shows a bar for a large archive', async () => {
  const archive = join(root, 'test', 'adapters', 'har', 'archives', 'chromium.har')
  const { log } = JSON.parse(readFileSync(archive, 'utf8'))
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

test('replay shows a bar only if its lines do not go to the terminal', async () => {
  const step = { as: 'all', method: 'GET', path: '/api/projects/1/annotations/' }
  const steps = Array.from({ length: 6_000 }, () => step)
  const file = temporaryFile({ title: 'A long story', steps })

  const [redirected, shown] = [
    await runInTerminal(['replay', file], {}, { isStdoutShown: false }),
    await runInTerminal(['replay', file, '--until', '3']),
  ]

  expect(redirected).toMatch(/Replaying .* \d+ %/)
  expect(shown).toMatch(/✓.* 3 GET/)
  expect(shown).not.toMatch(bar)
})
