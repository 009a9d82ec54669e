import { decodeFormText, percentEncode } from './secrets.ts'

type Replace = (value: string, isWithin?: boolean) => string

/** Returns the function that replaces the values of a name, or null if they are not secret. */
type FindReplacer = (name: string, isParameter?: boolean) => Replace | null

/** How many characters before `=` can belong to a name. */
const maxNameLength = 200

/**
 * Replaces the values of secret fields in a text of any kind. It finds fields in queries (`name=value`), in JSON and
 * JSON-like text (`"name": value`), and in multipart forms.
 */
export function replaceNamedValues(text: string, find: FindReplacer): string {
  if (!/["'=]/.test(text)) return text
  return replaceFormParts(replaceFields(replacePairs(text, find), find), find)
}

/** Replaces `name=value`, where any character of both may be percent-encoded. */
function replacePairs(text: string, find: FindReplacer): string {
  let replaced = ''
  let from = 0
  for (let at = text.indexOf('='); at >= 0; at = text.indexOf('=', Math.max(at + 1, from))) {
    const name = nameBefore(text, at, from)
    const replace = find(decodeFormText(name), /[?&]/.test(text[at - name.length - 1] ?? ''))
    if (!replace) continue
    const value = matchAt(/[^\s&"'<>\\]*/y, at + 1, text)
    const replacement = replaceEncoded(value, decodeFormText(value), replace)
    // A mask can show parts of the value. It stays one value.
    replaced += text.slice(from, at + 1) + replacement.replace(/[\s&"'<>\\]/g, percentEncode)
    from = at + 1 + value.length
  }
  return replaced + text.slice(from)
}

function nameBefore(text: string, end: number, from: number): string {
  let start = end
  const first = Math.max(from, end - maxNameLength)
  while (start > first && !/[\s?&"'<>#(),;=\\]/.test(text[start - 1] as string)) start -= 1
  return text.slice(start, end)
}

/** Every repetition has a bound, so that matching stays fast in long texts. */
const fieldName = /(\\{0,8}["'])([^"'\\]{1,200})\1\s{0,100}:\s{0,100}/g

/** Replaces `"name": value` as in JSON. The JSON may be invalid, or quoted inside another text. */
function replaceFields(text: string, find: FindReplacer): string {
  if (!text.includes(':') || !/["']/.test(text)) return text
  let replaced = ''
  let from = 0
  for (const { 0: match, 2: name = '', index } of text.matchAll(fieldName)) {
    const replace = index < from ? null : find(name)
    if (!replace) continue
    const at = index + match.length
    const [length, value] = replaceValueAt(text, at, replace)
    replaced += text.slice(from, at) + value
    from = at + length
  }
  return replaced + text.slice(from)
}

function replaceValueAt(
  text: string,
  at: number,
  replace: Replace,
): [length: number, replaced: string] {
  const quote = matchAt(/\\*["']|/y, at, text)
  if (quote !== '') {
    const content = quote.length === 1 ? stringContent(quote) : /.*?(?=\\*["']|$)/sy
    const value = matchAt(content, at + quote.length, text)
    return [
      quote.length + value.length,
      quote + replaceEncoded(value, unescapeJson(value), replace),
    ]
  }
  const value = text.slice(at, endOfValue(text, at))
  const isWithin = value.includes('{')
  return [
    value.length,
    value.replace(word, (each) => (literal.test(each) ? each : replace(each, isWithin))),
  ]
}

function stringContent(quote: string): RegExp {
  return new RegExp(`(?:[^\\\\${quote}]|\\\\.)*`, 'sy')
}

/** A whole word that is no name of a field. It is tried once at its start, so that long names take linear time. */
const word = /(?<![^\s"'\\[\]{},:])[^\s"'\\[\]{},:]+(?![^\s"'\\[\]{},:]|\\{0,8}["']\s{0,100}:)/g

/** Null, booleans and numbers are not secret. */
const literal = /^(?:null|true|false|-?[\d.]+(?:e[+-]?\d+)?)$/i

function endOfValue(text: string, at: number): number {
  let depth = 0
  const delimiter = /[[\]{},]/g
  delimiter.lastIndex = at
  for (let match = delimiter.exec(text); match; match = delimiter.exec(text)) {
    const [character] = match
    if (character === ',') {
      if (depth === 0) return match.index
    } else if (/[[{]/.test(character)) depth += 1
    else {
      depth -= 1
      if (depth <= 0) return match.index
    }
  }
  return text.length
}

/** A part of a multipart form: headers with a name, an empty line, and a value up to the next boundary. */
const formPart =
  /(\bform-data\s?;[^\r\n]{0,500}?\bname=("[^"\r\n]{1,200}"|[^"\s;]{1,200}(?=[\s;]))[^\r\n]{0,500}(?:\r?\n[^\r\n]{1,500}){0,10}?\r?\n\r?\n)([\s\S]*?)(?=\r?\n--|$)/gi

function replaceFormParts(text: string, find: FindReplacer): string {
  if (!/form-data/i.test(text)) return text
  return text.replace(formPart, (match, head: string, name: string, value: string) => {
    const replace = find(name.replaceAll('"', ''), true)
    return replace ? head + replace(value) : match
  })
}

function replaceEncoded(encoded: string, decoded: string, replace: Replace): string {
  const replaced = replace(decoded)
  return replaced === decoded ? encoded : replaced
}

function unescapeJson(text: string): string {
  if (!text.includes('\\')) return text
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}

function matchAt(pattern: RegExp, at: number, text: string): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
