import type { Entry, Har } from 'har-format'
import type { Remote } from '../../../remote/connect.ts'
import type { JournalEntry, MaskedKey } from '../../../sandbox/journal/entry.ts'
import { quoteForShell } from '../../../utils/escape.ts'
import type { KeyRow } from '../../../world/rows.ts'

/**
 * Fetches journal entries as a HAR archive, with queries and bodies as they were sent.
 *
 * @param at the time of the entries in ISO 8601, if it is known: the server then returns fewer entries
 */
export async function fetchHar(
  remote: Remote,
  ids: ReadonlySet<number>,
  at?: string,
): Promise<Har> {
  const { log } = await remote.journal.toHar(at === undefined ? {} : { since: at, until: at })
  const entries = log.entries.filter(({ comment }) => ids.has(parseEntryId(comment ?? '')))
  return { log: { ...log, entries } }
}

function parseEntryId(comment: string): number {
  return Number(/^entry (\d+)/.exec(comment)?.[1])
}

/** Headers that curl sends itself, or that belong to the connection. */
const omittedHeaders = [
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'host',
  'transfer-encoding',
  'user-agent',
]

/**
 * Returns a curl command that sends a request again, with the query and the body as they were sent. The journal masks
 * keys, so the full key is looked up.
 *
 * @throws Error if the journal did not store the body
 */
export function toCurl(
  { method, path, key }: JournalEntry,
  { request }: Entry,
  baseUrl: string,
  keys: readonly KeyRow[],
): string {
  const { postData, url } = request
  if (postData?.comment !== undefined) {
    throw new Error(
      "Cannot copy as curl: the body exceeds the journal's size limit and was not stored.",
    )
  }
  const headers = request.headers
    .filter(({ name }) => !omittedHeaders.includes(name) && !/^(sec-|origin$|referer$)/.test(name))
    .map(({ name, value }) => `${name}: ${value}`)
  if (key !== null) headers.unshift(`authorization: Bearer ${findKeyValue(key, keys)}`)
  const [, query = ''] = /(\?.*)$/.exec(url) ?? []
  return [
    'curl',
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['-X', method]),
    ...headers.flatMap((header) => ['-H', quoteForShell(header)]),
    ...(postData ? ['--data-raw', quoteForShell(postData.text ?? '')] : []),
    quoteForShell(baseUrl + path + query),
  ].join(' ')
}

/** Finds the full value of a masked key by its label, or by its start and end if it has no label. */
function findKeyValue({ label, value }: MaskedKey, keys: readonly KeyRow[]): string {
  const [start = '', end = ''] = value.split('…')
  const candidates = keys.filter((key) => key.value.startsWith(start) && key.value.endsWith(end))
  const [first, second] =
    label === null ? candidates : candidates.filter((key) => key.label === label)
  return first && !second ? first.value : 'YOUR_KEY'
}
