import { formatJson } from '../../utils/format-json.ts'

/** How a language writes texts and comments. */
export interface Language {
  readonly comment: string
  readonly quote: (text: string) => string
  /** Names of fields that need quotes get them. */
  readonly field: (name: string) => string
  /** What differs from JSON besides texts. */
  readonly words: Readonly<Record<string, string>>
}

export const javascript: Language = {
  comment: '//',
  // JSON is a subset of JavaScript. Single quotes are what formatters write.
  quote: (text) =>
    `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
  field: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : javascript.quote(name)),
  words: {},
}

export const python: Language = {
  comment: '#',
  // JSON escapes a character beyond U+FFFF as two code units, which Python would not join. It does not escape them here.
  quote: (text) => JSON.stringify(text),
  field: (name) => JSON.stringify(name),
  words: { true: 'True', false: 'False', null: 'None', '{ ': '{', ' }': '}' },
}

/** A text with the colon of a field, a word, or a brace with its space. */
const jsonToken = /"((?:[^"\\]|\\.)*)"(:?)|\w+|\{ |(?<=\S) \}/g

/** Writes a JSON value as source code. @param column where it starts on its line, from 0 */
export function toCode(value: unknown, language: Language, column = 0): string {
  return formatJson(value, '', column).replace(
    jsonToken,
    (token, text?: string, colon?: string) => {
      if (text === undefined) return language.words[token] ?? token
      const value = JSON.parse(`"${text}"`) as string
      return colon ? `${language.field(value)}:` : language.quote(value)
    },
  )
}

/** Indents each line that is not empty. */
export function indentLines(text: string, indent: string): string {
  return text.replace(/^(?=.)/gm, indent)
}

/** The width of a line, in characters. */
const maxWidth = 99

/** Writes sentences as a comment of lines that are not too long. */
export function toComment(text: string, language: Language): string {
  const lines: string[] = []
  // A control character of a recorded text must not end the comment.
  for (const word of text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < maxWidth)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`${language.comment} ${word}`)
  }
  return lines.join('\n')
}
