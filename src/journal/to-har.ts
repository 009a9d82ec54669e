import type { Har } from '../har/archive.ts'
import { archiveOf, harEntryOf } from '../har/write.ts'
import type { Exchange, SentMessage } from '../recordings/exchange.ts'
import type { JournalEntry } from './entry.ts'
import type { Message } from './message.ts'
import type { Rendered } from './renderer.ts'

/**
 * Entries as an archive. Each tells in its comment its id, its operation and its fault.
 *
 * @param origin of addresses whose requests do not tell their host
 */
export function toHar(rendered: readonly Rendered[], origin: string): Har {
  return archiveOf(rendered.map((one) => harEntryOf(exchangeOf(one, origin), commentOf(one.entry))))
}

/** An entry as a request and its answer, keys hidden. */
export function exchangeOf({ entry, request, answer, query }: Rendered, origin: string): Exchange {
  const { at, ms, method, path } = entry
  const { host } = entry.request.headers
  const base = host === undefined ? origin : `http://${host}`
  return {
    at,
    ms,
    method,
    ...keyOf(entry),
    url: `${base}${path}${query === '' ? '' : `?${query}`}`,
    request: messageOf(request),
    answer: { status: entry.answer.status, ...messageOf(answer) },
  }
}

/** What is known of its key: a value that no key has gets no label. */
function keyOf({ key }: JournalEntry): Pick<Exchange, 'key'> {
  if (key === null) return { key: null }
  return key.label === null ? {} : { key: key.label }
}

function messageOf({ shown, text }: Message): SentMessage {
  const headers = Object.entries(shown.headers)
  if (shown.omitted) return { headers, body: { omitted: shown.bytes } }
  return { headers, body: text === '' ? null : { text } }
}

function commentOf({ id, operation, fault }: JournalEntry): string {
  const disturbed = fault ? `, disturbed by ${fault.id} (${fault.phase})` : ''
  return `entry ${id}: ${operation ?? 'no operation'}${disturbed}`
}
