import { expect } from 'vitest'
import { run, type Variables } from './command.ts'
import type { CommandResult } from './output.ts'

/** Runs exec in this process. @returns its result, without the line that says where the API is */
export async function runExec(
  args: readonly string[],
  variables: Variables = {},
): Promise<CommandResult> {
  return withoutStart(await run(['exec', ...args], variables))
}

/** The result of exec without its first line, which says where the API is. */
export function withoutStart(result: CommandResult): CommandResult {
  const start =
    /^Understudy is serving (http:\/\/127\.0\.0\.1:\d+) while the command runs\. Dashboard: \1\/__admin\/\n/
  expect(result.stderr).toMatch(start)
  return { ...result, stderr: result.stderr.replace(start, '') }
}
