import { tryParseJson } from '../json.ts'

export type Mask = (value: string) => string

/**
 * Returns the mask for the values of a field or a parameter, or null if it is not secret.
 *
 * @param isParameter whether it names a parameter of a query or a form
 */
export type MaskForName = (name: string, isParameter?: boolean) => Mask | null

/** How many characters before `=` can belong to a name. */
const maxNameLength = 200

/**
 * Masks the values of secret fields in a text of any kind. It finds fields in queries (`name=value`), in JSON and
 * JSON-like text (`"name": value`), and in multipart forms.
 */
export function redactNamedValues(text: string, maskFor: MaskForName): string {
  if (!/["'=]/.test(text)) return text
  return redactFormParts(redactFields(redactPairs(text, maskFor), maskFor), maskFor)
}

export function decodeFormText(text: string): string {
  if (!/[%+]/.test(text)) return text
  return new URLSearchParams(`=${text.replaceAll('&', '%26')}`).get('') as string
}

/** Masks `name=value`, where any character of both may be percent-encoded. */
function redactPairs(text: string, maskFor: MaskForName): string {
  let redacted = ''
  let from = 0
  for (let at = text.indexOf('='); at >= 0; at = text.indexOf('=', Math.max(at + 1, from))) {
    const name = nameBefore(text, at, from)
    const mask = maskFor(decodeFormText(name), /[?&]/.test(text[at - name.length - 1] ?? ''))
    if (!mask) continue
    const value = matchAt(/[^\s&"'<>\\]*/y, at + 1, text)
    redacted += text.slice(from, at + 1) + maskEncoded(value, decodeFormText(value), mask)
    from = at + 1 + value.length
  }
  return redacted + text.slice(from)
}

function nameBefore(text: string, end: number, from: number): string {
  let start = end
  const first = Math.max(from, end - maxNameLength)
  while (start > first && !/[\s?&"'<>#(),;=\\]/.test(text[start - 1] as string)) start -= 1
  return text.slice(start, end)
}

/** Every repetition has a bound, so that matching stays fast in long texts. */
const fieldName = /(\\{0,8}["'])([^"'\\]{1,200})\1\s{0,100}:\s{0,100}/g

/** Masks `"name": value` as in JSON. The JSON may be invalid, or quoted inside another text. */
function redactFields(text: string, maskFor: MaskForName): string {
  if (!text.includes(':') || !/["']/.test(text)) return text
  let redacted = ''
  let from = 0
  for (const { 0: match, 2: name = '', index } of text.matchAll(fieldName)) {
    const mask = index < from ? null : maskFor(name)
    if (!mask) continue
    const at = index + match.length
    const [length, value] = redactValueAt(text, at, mask)
    redacted += text.slice(from, at) + value
    from = at + length
  }
  return redacted + text.slice(from)
}

function redactValueAt(text: string, at: number, mask: Mask): [length: number, redacted: string] {
  const quote = matchAt(/\\*["']|/y, at, text)
  if (quote !== '') {
    const content = quote.length === 1 ? stringContent(quote) : /.*?(?=\\*["']|$)/sy
    const value = matchAt(content, at + quote.length, text)
    return [quote.length + value.length, quote + maskEncoded(value, unescapeJson(value), mask)]
  }
  const value = text.slice(at, endOfValue(text, at))
  return [value.length, value.replace(word, (each) => (literal.test(each) ? each : mask(each)))]
}

function stringContent(quote: string): RegExp {
  return new RegExp(`(?:[^\\\\${quote}]|\\\\.)*`, 'sy')
}

const word = /[^\s"'\\[\]{},:]+/g

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

function redactFormParts(text: string, maskFor: MaskForName): string {
  if (!/form-data/i.test(text)) return text
  return text.replace(formPart, (match, head: string, name: string, value: string) => {
    const mask = maskFor(name.replaceAll('"', ''), true)
    return mask ? head + mask(value) : match
  })
}

function maskEncoded(encoded: string, decoded: string, mask: Mask): string {
  const masked = mask(decoded)
  return masked === decoded ? encoded : masked
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

/** A text body and its parsed JSON. The text is parsed once, on first use. */
export class TextBody {
  readonly text: string
  readonly isForm: boolean
  #json: { readonly value: unknown } | null | undefined
  #isLossless: boolean | undefined

  /** @param json the parsed text, if it is already known */
  constructor(text: string, isForm: boolean, json?: { readonly value: unknown }) {
    this.text = text
    this.isForm = isForm
    this.#json = json
  }

  /** The parsed JSON, wrapped; undefined if the text is not valid JSON. */
  get json(): { readonly value: unknown } | undefined {
    if (this.#json === undefined) this.#json = tryParseJson(this.text) ?? null
    return this.#json ?? undefined
  }

  /**
   * Whether the parsed JSON holds everything that the text says. It does not if an object repeats a name: then all
   * values but the last are lost.
   */
  get isLossless(): boolean {
    this.#isLossless ??= hasUniqueNames(this.text, this.json?.value)
    return this.#isLossless
  }
}

function hasUniqueNames(text: string, value: unknown): boolean {
  const parsed = countParsedNames(value)
  // Every name is followed by `":`, unless there is white space before a colon. If `":` occurs once per parsed name,
  // then no name is repeated.
  const isQuickCount = !/\s:/.test(text) && text.split('":').length - 1 === parsed
  return isQuickCount || countWrittenNames(text) === parsed
}

function countWrittenNames(text: string): number {
  let count = 0
  for (let start = text.indexOf('"'); start >= 0; ) {
    let end = text.indexOf('"', start + 1)
    while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
    if (end < 0) return count
    let next = end + 1
    while (/\s/.test(text[next] ?? '')) next += 1
    if (text[next] === ':') count += 1
    start = text.indexOf('"', next)
  }
  return count
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === '\\') first -= 1
  return (at - first) % 2 === 1
}

function countParsedNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  for (const child of Object.values(value)) {
    count += Array.isArray(value) ? countParsedNames(child) : 1 + countParsedNames(child)
  }
  return count
}
