import { bodyText } from '../../http/messages.ts'
import { documentedNulls } from '../../policies/document.ts'
import type { JournalRecord } from '../../sandbox/journal/journal.ts'
import { isObject, tryParseJson } from '../../utils/json.ts'
import { behaviourReason, evidenceOfField } from './evidence.ts'
import type { Reason } from './response-reasons.ts'

type NamedValue = readonly [name: string, value: unknown]

/**
 * The fields of the body of a response by their paths: those of its rows, and of the objects that are documented.
 *
 * @param rows how many rows of a list are read
 */
export function listFields({ response }: JournalRecord, rows: number): NamedValue[] {
  return fieldsOf(tryParseJson(bodyText(response.body))?.value, '', rows)
}

function fieldsOf(value: unknown, prefix: string, rows: number): NamedValue[] {
  if (Array.isArray(value)) {
    return value.slice(0, rows).flatMap((row, at) => fieldsOf(row, `${prefix}${at}.`, rows))
  }
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const isOpen = Array.isArray(inner) ? name === 'results' : name === 'created_by'
    const path = prefix + name
    return [[path, inner] as const, ...(isOpen ? fieldsOf(inner, `${path}.`, rows) : [])]
  })
}

/** The rule behind a field of a successful response, or behind its null. @returns undefined for a field that responses never have */
export function reasonOfField(
  name: string,
  value: unknown,
  { operation, settings }: JournalRecord,
): Reason | undefined {
  const reason = evidenceOfField(operation, 'response', name, settings)
  const isNullDocumented = documentedNulls.includes(name.split('.').at(-1) as string)
  if (value !== null || isNullDocumented || reason?.evidence !== 'documented') return reason
  if (name === 'next' || name === 'previous') return behaviourReason('lists.links')
  return { ...behaviourReason('fields.null'), documentation: reason.documentation }
}

/**
 * The rule of the first null in a row that is not documented to be null. The links of a page are no part of a row: where
 * there is no other page, no address can be sent.
 */
export function findNullRules(record: JournalRecord): Reason[] {
  for (const [name, value] of listFields(record, Infinity)) {
    const reason = value === null ? reasonOfField(name, value, record) : undefined
    if (reason?.id === 'fields.null') return [reason]
  }
  return []
}
