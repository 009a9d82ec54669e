import { styleText } from 'node:util'

/** A stream that the command line prints to, such as `process.stdout`. */
export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** What a text means to its reader, which decides its colour. */
export type TextTone = keyof typeof styles

/** Colours a text by its tone, on streams that show colours. */
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
 * Returns the colours of a stream: of a terminal, unless NO_COLOR is set; of any stream if FORCE_COLOR is set.
 *
 * @example painter(process.stdout)('good', '✓')
 */
export function painter(stream: Output): Paint {
  if (!hasColours(stream)) return (_tone, text) => text
  return (tone, text) => styleText(styles[tone], text, { validateStream: false })
}

/** Whether a stream shows colours. */
export function hasColours(stream: Output): boolean {
  return styleText('green', '', { stream }) !== ''
}
