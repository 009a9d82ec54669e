import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { persistInFile } from '../../src/node.ts'
import { createSimulator, type Simulator } from '../../src/simulator.ts'
import { temporaryFolder } from './files.ts'

export const newFile = () => join(temporaryFolder(), 'state.json')

/** The lines of the sandboxes beside a state file. */
export const linesOf = (file: string) =>
  readFileSync(`${file}.sandboxes`, 'utf8').trim().split(/\n+/)

/** Persists a simulator in a file. @returns the simulator, and the warnings of the start */
export async function start(file: string, simulator = createSimulator()) {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  warn.mockClear()
  const persistence = await persistInFile(simulator, file)
  const warnings = warn.mock.calls.map(String)
  const sandbox = (id: string) => simulator.sandboxes.get(id) as Simulator
  return { ...persistence, simulator, sandboxes: simulator.sandboxes, sandbox, warnings }
}
