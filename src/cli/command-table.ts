import type { Command } from 'commander'
import { table } from '../adapters/markdown.ts'
import { loadCommands } from './program.ts'

/** Every command, with the flags that are its own. */
export async function commandTable(): Promise<string> {
  const rows = (await loadCommands()).map((command) => [
    `\`${[command.name(), ...command.registeredArguments.map(shownArgument)].join(' ')}\``,
    command.description(),
    flagsOf(command),
  ])
  return table(['Command', 'What it does', 'Flags'], rows)
}

function shownArgument(argument: Command['registeredArguments'][number]): string {
  const name = argument.name() + (argument.variadic ? '...' : '')
  return argument.required ? `<${name}>` : `[${name}]`
}

/** Those of the commands that run a simulator stand in a table of their own. */
function flagsOf(command: Command): string {
  if (['serve', 'exec'].includes(command.name())) return 'below'
  return command.options.map(({ long }) => `\`${long}\``).join(', ')
}
