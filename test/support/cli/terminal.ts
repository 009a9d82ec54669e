import { startCommand, type Variables } from './command.ts'
import { TerminalOutput, TextOutput } from './output.ts'

/**
 * Runs a command whose output is a terminal.
 *
 * @param isStdoutShown whether stdout goes to the terminal, too, or elsewhere
 * @returns the text that the terminal gets
 */
export async function runInTerminal(
  args: readonly string[],
  variables: Variables = {},
  { isStdoutShown = true } = {},
): Promise<string> {
  const terminal = new TerminalOutput()
  const stdout = isStdoutShown ? terminal : new TextOutput()
  const shell = { TERM: 'xterm-256color', ...variables }
  await startCommand(args, shell, { stdout, stderr: terminal }).end
  return terminal.text
}
