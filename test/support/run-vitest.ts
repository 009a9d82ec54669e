import type { CommandResult } from './cli/output.ts'
import { startProcess, waitForExit } from './cli/process.ts'
import { root } from './root.ts'

/** Runs the examples of a folder in test/integrations/vitest with Vitest, in a process. */
export function runVitest(
  folder: string,
  variables: Readonly<Record<string, string>> = {},
  ...args: readonly string[]
): Promise<CommandResult> {
  const config = `${root}test/integrations/vitest/${folder}/vitest.config.ts`
  const environment = { NO_COLOR: '1', CI: '', ...variables }
  const file = `${root}node_modules/vitest/vitest.mjs`
  return waitForExit(startProcess(['run', ...args, '--config', config], environment, file))
}
