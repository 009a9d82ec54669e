import { LatestMap } from '../utils/latest-map.ts'
import type { ClientRequest } from './client-request.ts'
import { type Breach, type ClientRule, readInSource, Watch } from './rule.ts'

/** How many reads of a kind within how many seconds are too many. */
const reads = { equal: 20, single: 10, searches: 4, seconds: 2 }

export const runawayReads: ClientRule = {
  id: 'runaway-reads',
  sentence: `A client sent the same GET ${reads.equal} times within ${reads.seconds} seconds, and no write in between. Not on a frozen clock.`,
  cure: 'Read once, and again after a pause or a write. Look for what starts the request, such as an effect without dependencies.',
  level: 'note',
  ...readInSource,
}

export const singleReads: ClientRule = {
  id: 'single-reads',
  sentence: `A client asked for ${reads.single} rows of a list, each by itself, within ${reads.seconds} seconds, and sent no write in between. Not on a frozen clock.`,
  cure: 'Read the list: its rows have all fields.',
  level: 'note',
  ...readInSource,
}

export const searchPerKey: ClientRule = {
  id: 'search-per-key',
  sentence: `A client sent ${reads.searches} searches within ${reads.seconds} seconds, each with the text of the last one and more, as with each key that a user presses. Not on a frozen clock.`,
  cure: 'Send a search when the user has not typed for about 300 ms, and ignore the responses to older searches.',
  level: 'note',
  ...readInSource,
}

/** Reads that are alike. */
interface Kind {
  readonly rule: ClientRule
  readonly times: number
  readonly message: string
  /** Whether a read belongs to it at all, and to which of its groups */
  groupOf(request: ClientRequest): string | null
  /** Which reads before it count. By default all of the group */
  before?(known: ClientRequest[], request: ClientRequest): ClientRequest[]
}

const kinds: readonly Kind[] = [
  {
    rule: runawayReads,
    times: reads.equal,
    message: `The client sent the same GET ${reads.equal} times within ${reads.seconds} s, and no write in between.`,
    groupOf: ({ address, status }) => (status < 400 ? address : null),
  },
  {
    rule: singleReads,
    times: reads.single,
    message: `The client asked for ${reads.single} rows of a list, each by itself, within ${reads.seconds} s.`,
    groupOf: ({ verb, path }) => (verb === 'retrieve' ? path.replace(/\/[^/]*$/, '') : null),
    before: (known, { address }) => known.filter((read) => read.address !== address),
  },
  {
    rule: searchPerKey,
    times: reads.searches,
    message: `The client sent ${reads.searches} searches within ${reads.seconds} s, each with the text of the last one and more.`,
    groupOf: ({ query, path }) => (query.has('search') ? path : null),
    before: (known, { query }) => {
      const [text, last] = [query, known.at(-1)?.query].map((sent) => sent?.get('search') ?? '')
      return text !== last && text?.startsWith(String(last)) ? known : []
    },
  },
]

/** Finds reads that come too often. */
export class Reads extends Watch {
  /** By client, and by rule and group: its latest reads since the latest write of the client */
  readonly #reads = new LatestMap<string, LatestMap<string, ClientRequest[]>>(100)
  /** By subject: the latest breaches that can go on */
  readonly #repeated = new LatestMap<string, RepeatedReads>()

  see(request: ClientRequest): void {
    const { client, status, record } = request
    if (record.method !== 'GET') return void (request.isWrite && this.#reads.delete(client))
    if (!record.isTimed || status === 0 || (status >= 400 && status !== 404)) return
    const ofClient = this.#reads.get(client) ?? new LatestMap<string, ClientRequest[]>(100)
    this.#reads.set(client, ofClient)
    for (const kind of kinds) {
      const group = kind.groupOf(request)
      if (group !== null) this.#add(ofClient, kind, `${kind.rule.id} ${group}`, request)
    }
  }

  #add(
    ofClient: Map<string, ClientRequest[]>,
    kind: Kind,
    group: string,
    request: ClientRequest,
  ): void {
    const start = request.record.at - reads.seconds * 1_000
    const known = (ofClient.get(group) ?? []).filter(({ record }) => record.at > start)
    const recent = [...(kind.before?.(known, request) ?? known), request]
    ofClient.set(group, recent)
    if (recent.length < kind.times) return
    ofClient.delete(group)
    const { rule, message } = kind
    const subject = `${group} ${request.client}`
    // Each refusal can be verified by itself.
    const isVerifiable = recent.some(({ status }) => status >= 400)
    const repeated = isVerifiable ? undefined : this.#repeated.get(subject)
    if (repeated) return void addReads(repeated, recent)
    const breach = { rule, subject, message, requests: recent, times: 1, more: 0 }
    if (!isVerifiable) this.#repeated.set(subject, breach)
    this.report(breach)
  }
}

/** Reads that go on: the first ones are kept, and the last one. */
interface RepeatedReads extends Breach {
  readonly requests: ClientRequest[]
  times: number
  more: number
}

/** As many as a mistake lists, and the last one */
const maxKept = 21

function addReads(breach: RepeatedReads, reads: readonly ClientRequest[]): void {
  breach.times += 1
  const { requests } = breach
  for (const read of reads) {
    if (requests.length < maxKept) requests.push(read)
    else {
      requests[maxKept - 1] = read
      breach.more += 1
    }
  }
}
