import { readFileSync } from 'node:fs'

/** What Python does, as `comment` in the file says. Vite reads no lone surrogates. */
export const recorded: {
  readonly invalidJson: readonly [text: string, message: string][]
  readonly validJson: readonly [text: string, value: unknown][]
  readonly dates: readonly [text: string, result: string][]
  readonly texts: readonly [value: unknown, text: string, type: string][]
  readonly integers: readonly [text: string, value: number | null][]
  readonly invalidUtf8: readonly [bytes: string, message: string][]
  readonly truncatedUtf8: readonly [bytes: string, text: string][]
} = JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8'))
