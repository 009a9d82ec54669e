import { numberRepr } from './number.ts'

type ReprStep = { readonly print: string } | { readonly show: unknown }

/**
 * Python's `repr()` of a JSON value (observed §4). Keeps its own list of what is left to write, so
 * that no depth of nesting overflows the stack.
 *
 * @example
 * repr([true, "it's"]) // '[True, "it\'s"]'
 */
export function repr(value: unknown): string {
  const written: string[] = []
  const left: ReprStep[] = [{ show: value }]
  for (let step = left.pop(); step !== undefined; step = left.pop()) {
    if ('print' in step) written.push(step.print)
    else if (typeof step.show !== 'object' || step.show === null) written.push(scalar(step.show))
    else for (const part of parts(step.show).reverse()) left.push(part)
  }
  return written.join('')
}

function parts(value: object): ReprStep[] {
  if (Array.isArray(value)) {
    const items = value.flatMap((item): ReprStep[] => [{ print: ', ' }, { show: item }])
    return [{ print: '[' }, ...items.slice(1), { print: ']' }]
  }
  const entries = Object.entries(value).flatMap(([key, item]): ReprStep[] => [
    { print: ', ' },
    { print: `${quote(key)}: ` },
    { show: item },
  ])
  return [{ print: '{' }, ...entries.slice(1), { print: '}' }]
}

function scalar(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return numberRepr(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return 'None'
}

/** In single quotes, unless that would need an escape that double quotes would not. */
function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replace(/[\\'"\p{C}\p{Z}]/gu, (character) => escapeSequence(character, mark))
  return mark + escaped + mark
}

function escapeSequence(character: string, mark: string): string {
  if (character === '\\' || character === mark) return `\\${character}`
  if (character === ' ' || character === "'" || character === '"') return character
  if (character === '\n') return '\\n'
  if (character === '\r') return '\\r'
  if (character === '\t') return '\\t'

  const code = (character.codePointAt(0) ?? 0).toString(16)
  if (code.length <= 2) return `\\x${code.padStart(2, '0')}`
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`
}
