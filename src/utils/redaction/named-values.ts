import { decodeFormText, percentEncode } from '../query.ts'
import { isOpaqueValue } from './secrets.ts'

/** Returns the function that replaces the values of a name, or null if they are not secret. */
type ReplacerOf = (name: string, isParameter: boolean) => ((value: string) => string) | null

/**
 * Replaces the values of secret names in a text: `name=value`, as in a query, `name="value"`, `NAME = 'value'`,
 * `'name': 'value'`, and `name: value` if that is no ordinary word. The time that it takes is in proportion to the length.
 */
export function replaceNamedValues(text: string, replacerOf: ReplacerOf): string {
  if (!/[=:]/.test(text)) return text
  let [replaced, from] = ['', 0]
  for (const { 0: all, 1: mark, 2: name = '', 3: sign, index } of text.matchAll(nameOfValue)) {
    const replace = index < from ? null : replacerOf(decodeFormText(name), mark !== '')
    if (!replace) continue
    const at = index + all.length
    const [quote = ''] = /^\\{0,8}["']/.exec(text.slice(at, at + 9)) ?? []
    const start = at + quote.length
    const isParameter = sign === '=' && quote === ''
    const end = quote === '' ? endOfWord(text, start, isParameter) : endOfQuoted(text, start, quote)
    const written = text.slice(start, end)
    const value = isParameter ? decodeFormText(written) : written
    if (!isParameter && quote === '' && !isOpaqueValue(value)) continue
    const shown = replace(value)
    // A mask can show parts of the value. It stays one value.
    const safe = shown === value ? written : shown.replace(/[\s&"'<>\\]/g, percentEncode)
    replaced += text.slice(from, start) + safe
    from = end
  }
  return replaced + text.slice(from)
}

/**
 * The name before a sign, after `?` or `&`, or anywhere else. Any character of it may be percent-encoded. It starts after a
 * delimiter: starting within a long word is slow.
 */
const nameOfValue =
  /([?&]?)(?<![^\s?&"'`<>#(),;=:\\])([^\s?&"'`<>#(),;=:\\]+)(\\{0,8}["']?[ \t]{0,20}(?:={1,3}>?|:=?)[ \t]{0,20})/g

function endOfWord(text: string, start: number, isParameter: boolean): number {
  // A quote within a value belongs to it.
  const delimiter = isParameter ? /[\s&"<>\\]|'(?![\w%])/ : /[\s&"'`<>\\,;:()[\]{}]/
  const length = text.slice(start).search(delimiter)
  return length < 0 ? text.length : start + length
}

/** Where a quoted value ends: at the same quote, or without one at the end of the line. */
function endOfQuoted(text: string, start: number, quote: string): number {
  const [mark, escapes] = [quote.slice(-1), quote.length - 1]
  for (let end = text.indexOf(mark, start); end >= 0; end = text.indexOf(mark, end + 1)) {
    let slashes = 0
    while (end - slashes > start && text[end - 1 - slashes] === '\\') slashes += 1
    const isEscaped = escapes === 0 ? slashes % 2 === 1 : slashes > escapes
    if (!isEscaped) return end - Math.min(slashes, escapes)
  }
  const length = text.slice(start).search(/[\r\n]/)
  return length < 0 ? text.length : start + length
}

/** Replaces the values of secret fields of a form of many parts, `multipart/form-data`. */
export function replaceFieldsOfParts(text: string, replacerOf: ReplacerOf): string {
  if (!text.includes('form-data')) return text
  let [replaced, from] = ['', 0]
  for (const { 0: head, 1: parameters = '', index } of text.matchAll(headOfPart)) {
    const [, quoted, name = quoted ?? ''] = nameOfPart.exec(parameters) ?? []
    const replace = index < from ? null : replacerOf(name, true)
    if (!replace) continue
    const start = index + head.length
    const length = text.slice(start).search(/\r?\n--/)
    const end = length < 0 ? text.length : start + length
    replaced += text.slice(from, start) + replace(text.slice(start, end))
    from = end
  }
  return replaced + text.slice(from)
}

const headOfPart =
  /^content-disposition:[ \t]*form-data;([^\r\n]*)(?:\r?\n[^\r\n]+){0,8}\r?\n\r?\n/gim

const nameOfPart = /(?<![^; \t])name=(?:"([^"]*)"|([^\s;"]+))/i
