import { isObject } from '../../../utils/json.ts'

/** How a language writes values. */
export interface Language {
  readonly comment: string
  readonly quote: (text: string) => string
  /** Names of fields that need quotes get them. */
  readonly field: (name: string) => string
  readonly constants: Readonly<Record<'true' | 'false' | 'null', string>>
  /** What a nested line begins with, beside the indent of the line around it. */
  readonly indent: string
  /** Whether there are spaces within the braces of an object. */
  readonly hasSpaces: boolean
}

export const javascript: Language = {
  comment: '//',
  // JSON is a subset of JavaScript. Single quotes are what formatters write.
  quote: (text) =>
    `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
  field: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : javascript.quote(name)),
  constants: { true: 'true', false: 'false', null: 'null' },
  indent: '  ',
  hasSpaces: true,
}

export const python: Language = {
  comment: '#',
  // JSON escapes a character beyond U+FFFF as two code units, which Python would not join. It does not escape them here.
  quote: (text) => JSON.stringify(text),
  field: (name) => JSON.stringify(name),
  constants: { true: 'True', false: 'False', null: 'None' },
  indent: '    ',
  hasSpaces: false,
}

/** The width of a line, in characters. */
const maxWidth = 99

/** Writes a JSON value as source code. A value that fits on its line stays on it. */
export function toCode(
  value: unknown,
  language: Language,
  indent = '',
  column = indent.length,
): string {
  const inline = toInline(value, language)
  if (column + inline.length <= maxWidth || !(Array.isArray(value) || isObject(value)))
    return inline
  const inner = indent + language.indent
  const lines = Array.isArray(value)
    ? value.map((item) => toCode(item, language, inner))
    : Object.entries(value).map(([name, member]) => {
        const label = `${language.field(name)}: `
        return label + toCode(member, language, inner, inner.length + label.length)
      })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.map((line) => `${inner}${line},\n`).join('')}${indent}${close}`
}

function toInline(value: unknown, language: Language): string {
  const space = language.hasSpaces ? ' ' : ''
  if (typeof value === 'string') return language.quote(value)
  if (Array.isArray(value)) return `[${value.map((item) => toInline(item, language)).join(', ')}]`
  if (!isObject(value)) return language.constants[String(value) as 'null'] ?? String(value)
  const members = Object.entries(value).map(
    ([name, member]) => `${language.field(name)}: ${toInline(member, language)}`,
  )
  return members.length === 0 ? '{}' : `{${space}${members.join(', ')}${space}}`
}

/** Indents each line that is not empty. */
export function indentLines(text: string, indent: string): string {
  return text.replace(/^(?=.)/gm, indent)
}

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
