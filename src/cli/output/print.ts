import process from 'node:process'
import { styleText } from 'node:util'

/** Prints the one document that `--json` promises, for machines. */
export function printJson(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}

/** The same on one line, for who reads the first line of what goes on. */
export function printJsonLine(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document)}\n`)
}

/** How many rows a world has, as a text. @example rowsText({ projects: 2 }) // '2 projects' */
export function formatRowCounts(rows: Readonly<Record<string, number>>): string {
  const texts = Object.entries(rows).map(([list, count]) => `${count} ${list}`)
  return texts.length === 0 ? 'no rows' : texts.join(', ')
}

/** What a text is to who reads it. */
export type TextTone = keyof typeof styles

/** Gives a text the colour of its tone, where colours are shown. */
export type Paint = (tone: TextTone, text: string) => string

const styles = {
  good: 'green',
  bad: 'red',
  warning: 'yellow',
  name: 'cyan',
  faint: 'dim',
  strong: 'bold',
} as const

/**
 * Colours for what is written to a stream: on a terminal, unless NO_COLOR is set; elsewhere where FORCE_COLOR is.
 *
 * @example painter(process.stdout)('good', '✓')
 */
export function painter(stream: NodeJS.WriteStream): Paint {
  return (tone, text) => styleText(styles[tone], text, { stream })
}

/** Whether colours are shown on a stream. */
export function hasColours(stream: NodeJS.WriteStream): boolean {
  return painter(stream)('good', '') !== ''
}

/** A message on stderr, its first words, which say what failed, in red. */
export function formatErrorMessage(message: string): string {
  const [head = ''] = /^[^\n]*?:(?= )/.exec(message) ?? []
  return head === '' ? message : painter(process.stderr)('bad', head) + message.slice(head.length)
}
