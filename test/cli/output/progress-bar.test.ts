import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startProgressBar } from '../../../src/cli/output.ts'
import { TerminalOutput, TextOutput } from '../../support/cli/output.ts'

beforeEach(() => {
  vi.stubEnv('CI', undefined)
  vi.stubEnv('TERM', 'xterm-256color')
})
afterEach(() => void vi.unstubAllEnvs())

/** Shows a bar without delay, and half of its progress. */
async function showHalf(stream: TextOutput): Promise<string> {
  const progress = await startProgressBar('Generating rows', 30, stream, 0)
  progress.update(15)
  const shown = stream.text
  progress.stop()
  return shown
}

test('a terminal shows the bar, which is removed at the end', async () => {
  const terminal = new TerminalOutput()

  const shown = await showHalf(terminal)

  expect(shown).toMatch(/Generating rows █{15}░{15} 50 %/)
  expect(terminal.text.endsWith('\x1b[1G\x1b[2K')).toBe(true)
})

test.each([
  ['a pipe', {}, new TextOutput()],
  ['continuous integration', { CI: 'true' }, new TerminalOutput()],
  ['a dumb terminal', { TERM: 'dumb' }, new TerminalOutput()],
] as const)('%s shows no bar', async (_name, variables, stream) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)

  expect(await showHalf(stream)).toBe('')
})

test('short work shows no bar', async () => {
  const terminal = new TerminalOutput()
  const progress = await startProgressBar('Importing', 2, terminal)

  progress.update(1)
  progress.stop()

  expect(terminal.text).toBe('')
})
