import type { JournalEntry } from '../../journal/entry.ts'
import type { KeyRow } from '../../world/rows.ts'
import { addressOf } from './address.ts'

/** Headers that curl sends by itself, or that belong to the connection. */
const ofTheConnection = [
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'host',
  'transfer-encoding',
  'user-agent',
]

/**
 * A line for a terminal that asks the same again. The journal hides keys: the whole one is looked up by its label.
 *
 * @example "curl -X PATCH -H 'authorization: Bearer phx_all' … 'http://127.0.0.1:4010/api/…'"
 */
export function toCurl(entry: JournalEntry, baseUrl: string, keys: readonly KeyRow[]): string {
  const { method, request, key } = entry
  const value = keys.find(({ label }) => label === key?.label)?.value ?? 'YOUR_KEY'
  const headers = Object.entries(request.headers)
    .filter(([name]) => !ofTheConnection.includes(name) && !/^(sec-|origin$|referer$)/.test(name))
    .map(([name, text]) => `${name}: ${text}`)
  if (key !== null) headers.unshift(`authorization: Bearer ${value}`)
  return [
    'curl',
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['-X', method]),
    ...headers.flatMap((header) => ['-H', quoted(header)]),
    ...(request.body === null ? [] : ['--data-raw', quoted(bodyOf(request.body))]),
    quoted(baseUrl + addressOf(entry)),
  ].join(' ')
}

function bodyOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** For a shell: nothing in single quotes has a meaning but they themselves. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
