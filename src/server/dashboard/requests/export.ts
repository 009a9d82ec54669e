import type { Entry, Har } from 'har-format'
import type { Remote } from '../../../remote/connect.ts'
import type { JournalEntry, MaskedKey } from '../../../sandbox/journal/entry.ts'
import type { KeyRow } from '../../../world/rows.ts'
import { downloadFile } from '../kit/copy-download.ts'

/** Saves some entries of the journal as an archive. The server writes it. */
export async function downloadHar(remote: Remote, ids: ReadonlySet<number>): Promise<number> {
  const archive = await fetchHar(remote, ids)
  downloadFile('understudy.har', archive)
  return archive.log.entries.length
}

/**
 * Some entries of the journal as they were on the wire. Each tells its number.
 *
 * @param at ISO 8601: when they were asked, where that is known
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

/** @example numberIn('entry 12: listPlugins') // 12 */
function parseEntryId(comment: string): number {
  return Number(/^entry (\d+)/.exec(comment)?.[1])
}

/** Headers that curl sends by itself, or that belong to the connection. */
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
 * A line for a terminal that asks the same again, with the query and the body as they were sent. The journal hides
 * keys: the whole one is looked up.
 *
 * @throws Error for a body that the journal did not keep
 * @example "curl -X PATCH -H 'authorization: Bearer phx_all' … 'http://127.0.0.1:4010/api/…'"
 */
export function toCurl(
  { method, path, key }: JournalEntry,
  { request }: Entry,
  baseUrl: string,
  keys: readonly KeyRow[],
): string {
  const { postData, headers: sent, url } = request
  if (postData?.comment !== undefined) {
    throw new Error('Failed to copy as curl: the body is larger than the journal keeps.')
  }
  const headers = sent
    .filter(({ name }) => !omittedHeaders.includes(name) && !/^(sec-|origin$|referer$)/.test(name))
    .map(({ name, value }) => `${name}: ${value}`)
  if (key !== null) headers.unshift(`authorization: Bearer ${findKeyValue(key, keys)}`)
  const [, query = ''] = /(\?.*)$/.exec(url) ?? []
  return [
    'curl',
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['-X', method]),
    ...headers.flatMap((header) => ['-H', shellQuote(header)]),
    ...(postData ? ['--data-raw', shellQuote(postData.text ?? '')] : []),
    shellQuote(baseUrl + path + query),
  ].join(' ')
}

/** The value of a key that is shown by its label, or by its end where it has none. */
function findKeyValue({ label, value }: MaskedKey, keys: readonly KeyRow[]): string {
  const [start = '', end = ''] = value.split('…')
  const meant = keys.filter((key) => key.value.startsWith(start) && key.value.endsWith(end))
  const [one, another] = label === null ? meant : meant.filter((key) => key.label === label)
  return one && !another ? one.value : 'YOUR_KEY'
}

/** For a shell: nothing in single quotes has a meaning but they themselves. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
