type JsonPath = readonly (string | number)[]

/** How wide a line may be before a value is broken into several. */
const maxWidth = 100

/**
 * A JSON text with another value in one place; all else stays as it was written.
 *
 * @param text valid JSON that has the place
 * @example replacedIn('{ "status": 200, "a": 1 }', ['status'], 404) // '{ "status": 404, "a": 1 }'
 */
export function replaceInJson(text: string, path: JsonPath, value: unknown): string {
  const start = path.reduce<number>((at, step) => findChild(text, at, step), skipSpace(text, 0))
  const lineStart = text.lastIndexOf('\n', start) + 1
  const indent = /^\s*/.exec(text.slice(lineStart))?.[0] ?? ''
  const written = formatInline(value)
  const isShort = start - lineStart + written.length < maxWidth
  const lines = isShort ? written : JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`)
  const newLine = text.includes('\r\n') ? lines.replaceAll(/\r?\n/g, '\r\n') : lines
  return text.slice(0, start) + newLine + text.slice(findEnd(text, start))
}

/** Where a member of an object, or an item of a list, begins. */
function findChild(text: string, start: number, step: string | number): number {
  const isObject = text[start] === '{'
  let at = skipSpace(text, start + 1)
  for (let index = 0; at < text.length && !'}]'.includes(text[at] as string); index++) {
    let name: unknown = index
    if (isObject) {
      const end = findEnd(text, at)
      name = JSON.parse(text.slice(at, end))
      at = skipSpace(text, skipSpace(text, end) + 1)
    }
    if (name === step) return at
    at = skipSpace(text, findEnd(text, at))
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  throw new Error(`Failed to find ${step}: expected a place of the JSON text.`)
}

/** Where a value ends. */
function findEnd(text: string, start: number): number {
  if (!'{['.includes(text[start] as string)) return start + scalarLength(text, start)
  let depth = 0
  for (let at = start; ; at++) {
    const sign = text[at] as string
    if (sign === '"') at += scalarLength(text, at) - 1
    else if ('{['.includes(sign)) depth += 1
    else if ('}]'.includes(sign) && --depth === 0) return at + 1
  }
}

/** How long a text, a number, or a word is. */
function scalarLength(text: string, start: number): number {
  const pattern = /"(?:[^"\\]|\\.)*"|[^\s,\]}]+/y
  pattern.lastIndex = start
  return pattern.exec(text)?.[0].length ?? 1
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (/\s/.test(text[at] ?? '')) at += 1
  return at
}

function formatInline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatInline).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)}: ${formatInline(inner)}`,
  )
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}
