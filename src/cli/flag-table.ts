import { table } from '../adapters/markdown.ts'
import { serveCommand } from './serve.ts'

/** The flags of `understudy serve`, each with its environment variable. */
export function flagTable(): string {
  const rows = serveCommand().options.map(({ flags, description, envVar, defaultValue }) => [
    `\`${flags}\``,
    description,
    typeof defaultValue === 'string' || typeof defaultValue === 'number'
      ? `\`${defaultValue}\``
      : '',
    `\`${envVar}\``,
  ])
  return table(['Flag', 'What it sets', 'Default', 'Variable'], rows)
}
