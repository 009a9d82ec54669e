import { queryString } from '../../http/url.ts'

/** A request and its response. */
export interface LoggedExchange {
  readonly operation: string | null
  readonly method: string
  /** The path with the query */
  readonly target: string
  /** The length of its body in bytes */
  readonly sent: number
  readonly status: number
  readonly headers: Iterable<readonly [string, string]>
  /** The body of the response */
  readonly text: string
}

/** How large the inputs and outputs of a run were: policies about limits depend on it. */
export interface Sizes {
  /** The most rows that a list had, and the largest limit that was asked for, by operation */
  readonly lists: Readonly<Record<string, { readonly rows: number; readonly limit: number }>>
  /** The longest body that was sent, in bytes */
  readonly body: number
}

/** Keeps of the exchanges of a run what decides whether a policy can matter. */
export class ExchangeLog {
  readonly #responses: string[] = []
  sizes: Sizes = { lists: {}, body: 0 }

  add(exchange: LoggedExchange): void {
    this.#responses.push(describeResponse(exchange))
    this.sizes = withSizes(this.sizes, exchange)
  }

  get requests(): number {
    return this.#responses.length
  }

  /** What all responses were, apart from times and ports: equal texts mean equal responses. */
  get responses(): string {
    // Requests that are sent at once come in any order.
    return hash(this.#responses.toSorted().join('\n'))
  }
}

/** Describes a response without times, and without the address that a link has. */
function describeResponse({ method, target, status, headers, text }: LoggedExchange): string {
  const body = text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, 'time')
    .replace(/https?:\/\/[^/"]+/g, 'origin')
  const entries = [...headers].filter(([name]) => name !== 'content-length')
  return JSON.stringify([method, target, status, entries, body])
}

function withSizes(
  { lists, body }: Sizes,
  { operation, target, sent, text }: LoggedExchange,
): Sizes {
  const longest = Math.max(body, sent)
  const [, count] = /^\{"count":(\d+),/.exec(text) ?? []
  if (count === undefined || operation === null) return { lists, body: longest }
  const limit = Number(new URLSearchParams(queryString(target)).get('limit')) || 0
  const known = lists[operation] ?? { rows: 0, limit: 0 }
  const larger = { rows: Math.max(known.rows, Number(count)), limit: Math.max(known.limit, limit) }
  return { lists: { ...lists, [operation]: larger }, body: longest }
}

/** FNV-1a, because the hashes of Node cannot be imported in a browser. */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return `${text.length}-${(value >>> 0).toString(16)}`
}
