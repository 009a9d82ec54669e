import { table } from '../adapters/markdown.ts'
import { allOptions, commandsOf } from './flags.ts'

/** The flags of the commands that run a simulator, each with its environment variable. */
export function flagTable(): string {
  const rows = allOptions().map(({ flags, description, envVar, defaultValue }) => [
    `\`${flags}\``,
    description,
    typeof defaultValue === 'string' || typeof defaultValue === 'number'
      ? `\`${defaultValue}\``
      : '',
    `\`${envVar}\``,
    commandsOf(flags).join(', '),
  ])
  return table(['Flag', 'What it sets', 'Default', 'Variable', 'Command'], rows)
}
