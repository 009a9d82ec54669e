import { table } from '../adapters/markdown.ts'
import { presets } from '../sandbox/faults/presets.ts'

/** The presets of faults, for the README. */
export function presetTable(): string {
  const rows = Object.entries(presets).map(([name, { description }]) => [
    `\`${name}\``,
    description,
  ])
  return table(['Preset', 'What happens'], rows)
}
