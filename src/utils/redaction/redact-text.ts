/** Hides a value. */
export type Mask = (value: string) => string
/** Gives what hides a value, by the name it stands at; null for a name that says nothing. */
export type MaskForName = (name: string) => Mask | null

/** How far before its sign a name is looked for, in characters. */
const maxNameLength = 200

/** A text without the values in it that stand by a telling name: in a query, in JSON, and in a form of many parts. */
export function redactNamedValues(text: string, named: MaskForName): string {
  if (!/["'=]/.test(text)) return text
  return redactFormParts(redactFields(redactPairs(text, named), named), named)
}

/** What a part of a query or of a form means, also where it is not encoded well. */
export function decodeFormText(text: string): string {
  if (!/[%+]/.test(text)) return text
  return new URLSearchParams(`=${text.replaceAll('&', '%26')}`).get('') as string
}

/** `name=value`, as in addresses: any sign of either may be encoded. */
function redactPairs(text: string, named: MaskForName): string {
  let shown = ''
  let from = 0
  for (let at = text.indexOf('='); at >= 0; at = text.indexOf('=', Math.max(at + 1, from))) {
    const mask = named(decodeFormText(nameBefore(text, at, from)))
    if (!mask) continue
    const [found] = matchAt(/[^\s&"'<>\\]*/y, at + 1, text)
    shown += text.slice(from, at + 1) + maskedOrOriginal(found, decodeFormText(found), mask)
    from = at + 1 + found.length
  }
  return shown + text.slice(from)
}

function nameBefore(text: string, end: number, from: number): string {
  let start = end
  const first = Math.max(from, end - maxNameLength)
  while (start > first && !/[\s?&"'<>#(),;=\\]/.test(text[start - 1] as string)) start -= 1
  return text.slice(start, end)
}

/** Bounded in all that may go on for long: a text may be of any length. */
const fieldName = /(\\{0,8}["'])([^"'\\]{1,200})\1\s{0,100}:\s{0,100}/g

/** `"name": value`, as in JSON, also in JSON that is no good, or stands in a text. */
function redactFields(text: string, named: MaskForName): string {
  if (!text.includes(':') || !/["']/.test(text)) return text
  let shown = ''
  let from = 0
  for (const { 0: all, 2: name = '', index } of text.matchAll(fieldName)) {
    const mask = index < from ? null : named(name)
    if (!mask) continue
    const at = index + all.length
    const [length, value] = redactValueAt(text, at, mask)
    shown += text.slice(from, at) + value
    from = at + length
  }
  return shown + text.slice(from)
}

/** The value that begins there: its length, and what is shown of it. */
function redactValueAt(text: string, at: number, mask: Mask): [length: number, shown: string] {
  const [quote] = matchAt(/\\*["']|/y, at, text)
  if (quote !== '') {
    const inner = quote.length === 1 ? stringIn(quote) : /.*?(?=\\*["']|$)/sy
    const [found] = matchAt(inner, at + quote.length, text)
    return [quote.length + found.length, quote + maskedOrOriginal(found, unescaped(found), mask)]
  }
  const found = text.slice(at, endOfValue(text, at))
  return [found.length, found.replace(word, (one) => (literals.test(one) ? one : mask(one)))]
}

function stringIn(quote: string): RegExp {
  return new RegExp(`(?:[^\\\\${quote}]|\\\\.)*`, 'sy')
}

const word = /[^\s"'\\[\]{},:]+/g
/** What JSON has besides texts is no secret. */
const literals = /^(?:null|true|false|-?[\d.]+(?:e[+-]?\d+)?)$/i

/** The end of a value that is no string: of a list or an object its closing sign, or where the text ends. */
function endOfValue(text: string, at: number): number {
  let depth = 0
  const signs = /[[\]{},]/g
  signs.lastIndex = at
  for (let found = signs.exec(text); found; found = signs.exec(text)) {
    const [sign] = found
    if (sign === ',') {
      if (depth === 0) return found.index
    } else if (/[[{]/.test(sign)) depth += 1
    else {
      depth -= 1
      if (depth <= 0) return found.index
    }
  }
  return text.length
}

/** A part of a form: its value goes on until the next boundary. */
const part =
  /(\bform-data\s?;[^\r\n]{0,500}?\bname=("[^"\r\n]{1,200}"|[^"\s;]{1,200}(?=[\s;]))[^\r\n]{0,500}(?:\r?\n[^\r\n]{1,500}){0,10}?\r?\n\r?\n)([\s\S]*?)(?=\r?\n--|$)/gi

function redactFormParts(text: string, named: MaskForName): string {
  if (!/form-data/i.test(text)) return text
  return text.replace(part, (all, head: string, name: string, value: string) => {
    const mask = named(name.replaceAll('"', ''))
    return mask ? head + mask(value) : all
  })
}

/** What stands for a value; as it stood where it is not hidden. */
function maskedOrOriginal(found: string, meant: string, mask: Mask): string {
  const shown = mask(meant)
  return shown === meant ? found : shown
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}

function matchAt(pattern: RegExp, at: number, text: string): [string] {
  pattern.lastIndex = at
  return [pattern.exec(text)?.[0] ?? '']
}
