import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, startCommand } from '../support/cli/command.ts'
import { TerminalOutput } from '../support/cli/output.ts'
import { root } from '../support/root.ts'

const story = join(root, 'scenarios', 'response-lost-after-create.json')
const coloured = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`)

/** What a terminal gets of a command. */
async function runInTerminal(args: readonly string[], variables: object = {}): Promise<string> {
  const terminal = new TerminalOutput()
  const shell = { TERM: 'xterm-256color', ...variables }
  await startCommand(args, shell, { stdout: terminal, stderr: terminal }).end
  return terminal.text
}

const commands: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['help', ['--help']],
  ['replay', ['replay', story]],
  ['an error', ['serve', '--port', 'many']],
]

test.each(commands)(
  '%s has colours on a terminal, unless a variable says otherwise',
  async (...row) => {
    const [, args] = row
    const [plain, forced] = [await run(args), await run(args, { FORCE_COLOR: '1' })]

    expect(await runInTerminal(args)).toMatch(coloured)
    expect(await runInTerminal(args, { NO_COLOR: '1' })).not.toMatch(coloured)
    expect(plain.stdout + plain.stderr).not.toMatch(coloured)
    expect(forced.stdout + forced.stderr).toMatch(coloured)
  },
)
