import type { CommandResult } from '../../support/cli/output.ts'
import { startProcess, waitForExit } from '../../support/cli/process.ts'
import { root } from '../../support/root.ts'

/** Runs the examples of a folder in test/integrations/vitest with Vitest, in a process. */
export function runVitest(
  folder: string,
  variables: Readonly<Record<string, string>> = {},
  ...args: readonly string[]
): Promise<CommandResult> {
  const examples = `${root}test/integrations/vitest`
  const flags = ['--config', `${examples}/examples.config.ts`, '--root', `${examples}/${folder}`]
  const environment = { NO_COLOR: '1', CI: '', ...variables }
  const file = `${root}node_modules/vitest/vitest.mjs`
  return waitForExit(startProcess(['run', ...args, ...flags], environment, file))
}
