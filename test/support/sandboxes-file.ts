import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { type FilePersistence, persistInFile } from '../../src/node.ts'
import { createSimulator, type Simulator } from '../../src/simulator.ts'
import { temporaryFolder } from './files.ts'

/** The path of a state file that does not exist yet. */
export const newStateFile = (): string => join(temporaryFolder(), 'state.json')

/** The lines of the sandboxes that are saved beside a state file. */
export const savedLines = (file: string): string[] =>
  readFileSync(`${file}.sandboxes`, 'utf8').trim().split(/\n+/)

/** A simulator that is saved in a state file, with its sandboxes. */
interface Started extends FilePersistence, Pick<Simulator, 'sandboxes'> {
  readonly simulator: Simulator
  sandbox(id: string): Simulator
  /** The warnings of the start */
  readonly warnings: readonly string[]
}

/** Starts a simulator with a state file, as a server with `--state` does. */
export async function startWithState(
  file: string,
  simulator: Simulator = createSimulator(),
): Promise<Started> {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  warn.mockClear()
  const persistence = await persistInFile(simulator, file)
  const warnings = warn.mock.calls.map(String)
  const { sandboxes } = simulator
  const sandbox = (id: string) => sandboxes.get(id) as Simulator
  return { ...persistence, simulator, sandboxes, sandbox, warnings }
}
