import { isObject } from '../../utils/json.ts'
import { annotationFields } from './checked-rows.ts'

/** In place of each field. No field of a valid row is zero. */
const placeholder = 0

const rowStart = annotationFields.map(({ name }) => `"${name}":${placeholder},`).join('')
const listStart = /^\[\s*\{/
const rowBorder = /\}\s*,\s*\{/

/** How many batches of rows are tried in vain */
const maxFailures = 3

/**
 * Returns a parser for rows of a file. V8 takes five times as long for objects that each have their fields in an order of
 * their own. If the rows of a batch do, annotations begin with placeholders in one order from then on, which their own
 * values replace.
 */
export function createRowParser(): (
  list: string,
  text: string,
  parse: (text: string) => unknown,
) => unknown {
  let isMixed = false
  let failures = 0
  return (list, text, parse) => {
    if (isMixed && failures < maxFailures && list === 'annotations') {
      const rows = parseInOrder(text, parse)
      if (rows) return rows
      failures += 1
    }
    const rows = parse(text)
    isMixed = hasMixedOrders(rows as readonly unknown[])
    return rows
  }
}

/** @param text a list. @returns null if a row lacks a field, and for anything else than rows with one level */
function parseInOrder(text: string, parse: (text: string) => unknown): readonly unknown[] | null {
  const [start = ''] = listStart.exec(text) ?? []
  if (start === '') return null
  const texts = text.slice(start.length).split(text.includes('},{') ? '},{' : rowBorder)
  try {
    const rows = parse(`[{${rowStart}${texts.join(`},{${rowStart}`)}`) as readonly unknown[]
    // Otherwise a nested list has placeholders.
    return rows.length === texts.length && rows.every(isComplete) ? rows : null
  } catch {
    return null
  }
}

/** Whether a row has no placeholder. */
function isComplete(row: unknown): boolean {
  if (!isObject(row)) return false
  return annotationFields.every(({ name }) => row[name] !== placeholder)
}

function hasMixedOrders(rows: readonly unknown[]): boolean {
  const orders = rows.slice(0, 3).map((row) => Object.keys(Object(row)).join())
  return orders.length === 3 && new Set(orders).size === 3
}
