import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LoadingProgress } from '../../../src/cli/from-flags.ts'
import { TerminalOutput, TextOutput } from '../../support/cli/output.ts'

beforeEach(() => {
  vi.stubEnv('CI', undefined)
  vi.stubEnv('TERM', 'xterm-256color')
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const annotations = Array.from({ length: 100 }, () => ({})) as never[]

/** Loads a world of generated rows. Each part takes a second. */
async function load(stream: TextOutput): Promise<string[]> {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const progress = await LoadingProgress.start(stream)
  const shown = (update: () => void): string => {
    now += 1_000
    const { length } = stream.text
    update()
    return stream.text.slice(length)
  }
  const step = progress.stepsOf({ annotations })
  return [
    shown(() => progress.onRead(50, 100)),
    shown(() => progress.onGenerated(1, 2)),
    shown(() => progress.onGenerated(2, 2)),
    shown(step),
    shown(progress.stop),
  ]
}

const removed = '\x1b[1G\x1b[2K'

test('a terminal shows how far a world is read, generated and loaded', async () => {
  const terminal = new TerminalOutput()

  const [read = '', generated = '', complete = '', loaded = '', stopped = ''] = await load(terminal)

  expect(read).toMatch(/Loading rows █+░+ 25 %/)
  expect([generated, complete, stopped].map((text) => text.includes(removed))).toEqual([
    true,
    true,
    true,
  ])
  expect(generated).toMatch(/Generating rows █{15}░{15} 50 %/)
  expect(loaded).toMatch(/Loading rows █+░+ 7\d %/)
})

test('a pipe shows nothing', async () => {
  expect((await load(new TextOutput())).join('')).toBe('')
})

test('a small world, and a file of unknown size, show nothing', async () => {
  const terminal = new TerminalOutput()
  const progress = await LoadingProgress.start(terminal)

  progress.onRead(50, 100)
  progress.stepsOf({ annotations })()
  vi.spyOn(performance, 'now').mockImplementation(() => Number.MAX_SAFE_INTEGER)
  progress.onRead(50, 0)
  progress.stop()

  expect(terminal.text).toBe('')
})
