import * as z from 'zod'
import type { Exchange, ExchangedMessage } from '../http/exchange.ts'
import {
  type JournalEntry,
  type JournalMessage,
  journalEntrySchema,
} from '../simulator/journal/entry.ts'
import { issuesError, schemaIssues, UsageError } from '../utils/errors.ts'
import { isObject, tryParseJson } from '../utils/json.ts'
import { writeQuery } from '../utils/query.ts'
import { formatCount } from '../utils/text.ts'

/** The values of a text that can be a journal: a list, or an entry in each line. Null for any other text. */
export function journalValues(text: string): readonly unknown[] | null {
  const start = text.trimStart()
  if (start.startsWith('[')) {
    const value = tryParseJson(text)?.value
    return Array.isArray(value) ? value : null
  }
  const values: unknown[] = []
  for (const line of start.split('\n')) {
    if (line.trim() === '') continue
    const value = tryParseJson(line)?.value
    if (!isEntry(value)) return null
    values.push(value)
  }
  return values.length > 0 ? values : null
}

/** Whether a value can be an entry of a journal. */
function isEntry(value: unknown): boolean {
  return isObject(value) && 'request' in value
}

/** Checks the entries of a journal. @param file how messages name it @throws UsageError with every issue */
export function readJournal(values: readonly unknown[], file: string): readonly JournalEntry[] {
  if (values.length === 0) throw new UsageError(`${file} has no entry. Send requests first.`)
  const issues = schemaIssues(z.array(journalEntrySchema), values)
  if (issues.length === 0) return values as readonly JournalEntry[]
  const count = formatCount(issues.length, 'problem')
  throw issuesError(`${file} is not a valid journal: ${count}.`, issues)
}

/**
 * Converts an entry of a journal to a request and its response. Its key stays masked: only its label is known.
 *
 * @example simulator.journal.find().map(journalExchange)
 */
export function journalExchange({ query, query_text, key, ...entry }: JournalEntry): Exchange {
  const { at, ms, method, path, request, response } = entry
  const text = query_text ?? writeQuery(Object.entries(query))
  const host = request.headers.host ?? 'localhost'
  const label = key === null ? { key: null } : key.label === null ? {} : { key: key.label }
  return {
    at,
    ms,
    method,
    url: `http://${host}${path}${text === '' ? '' : `?${text}`}`,
    ...label,
    request: toMessage(request),
    // The journal keeps the body that a GET would have.
    response: {
      status: response.status,
      ...toMessage(response),
      ...(method === 'HEAD' && { body: null }),
    },
  }
}

function toMessage({ headers, body, bytes, omitted }: JournalMessage): ExchangedMessage {
  // No header can have the character that masks a key.
  const pairs = Object.entries(headers).map(
    ([name, text]) => [name, text.replaceAll('…', '...')] as const,
  )
  if (omitted) return { headers: pairs, body: { omitted: bytes } }
  if (body === null && bytes === 0) return { headers: pairs, body: null }
  const type = headers['content-type'] ?? ''
  const isForm = type.startsWith('application/x-www-form-urlencoded') && typeof body === 'object'
  // A text of another type is not JSON. A JSON text is a value.
  const isText = typeof body === 'string' && !/json/i.test(type)
  const text = isForm
    ? writeQuery(Object.entries(body as Record<string, string>))
    : isText
      ? body
      : JSON.stringify(body)
  return { headers: pairs, body: { text } }
}
