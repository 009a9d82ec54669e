import process from 'node:process'
import { styleText } from 'node:util'

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
