import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import defaultWorld from '../../fixtures/default.json' with { type: 'json' }

import { cleanEnvironment } from '../support/cli/output.ts'

import { runInTerminal } from '../support/cli/terminal.ts'
import { temporaryFile, temporaryFolder } from '../support/files.ts'
import { bin, root } from '../support/root.ts'

const fastClock = join(root, 'test', 'support', 'cli', 'fast-clock.mjs')

// On a fast machine, the commands end before their bars are shown. With this clock, they are late on any machine.
beforeEach(() => {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => 1_000 * now())
})

afterEach(() => {
  vi.restoreAllMocks()
})

const bar = /█.* \d+ %/

test('a real terminal shows colours and a progress bar', () => {
  const file = temporaryFile({ generate: { annotations: 20_000 } })
  const line = `'${process.execPath}' '${bin}' validate '${file}'`
  const env = {
    ...cleanEnvironment(),
    TERM: 'xterm-256color',
    NODE_OPTIONS: `--import="${fastClock}"`,
  }

  const { stdout } = spawnSync('script', ['-qec', line, '/dev/null'], { env, encoding: 'utf8' })

  expect(stdout).toMatch(/Generating rows █.* \d+ %/)
  expect(stdout).toContain('\x1b[32mis a valid world\x1b[39m')
})

test('validate shows a bar for generated rows', async () => {
  const file = temporaryFile({ generate: { annotations: 20_000 } })

  const shown = await runInTerminal(['validate', file])

  expect(shown).toMatch(/Generating rows .* \d+ %/)
  expect(shown).toMatch(bar)
  expect(shown.trimEnd()).toMatch(/20000 annotations, 0 activity entries\.$/)
})

test('exec shows a bar while it loads a large file', async () => {
  const annotations = Array.from({ length: 20_000 }, (_, index) => ({
    ...defaultWorld.annotations[1],
    id: index + 1,
  }))
  const file = temporaryFile({ ...defaultWorld, annotations })

  const shown = await runInTerminal(['exec', '--data', file, '--', 'true'])

  expect(shown).toMatch(/Loading rows █.* \d+ %/)
  // It is removed before anything else is printed.
  expect(shown).toContain('\x1b[2K')
  expect(shown.split('\x1b[2K').at(-1)?.trim()).toMatch(/^The command sent no request to the API/)
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
