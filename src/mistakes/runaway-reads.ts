import { LatestMap } from '../utils/latest-map.ts'
import type { ClientRequest } from './client-request.ts'
import { type Breach, type ClientRule, readInSource, type Watch } from './rule.ts'

/** How many equal reads within how many seconds are too many. */
const reads = { times: 20, seconds: 2 }

export const runawayReads: ClientRule = {
  id: 'runaway-reads',
  sentence: `A client sent the same GET ${reads.times} times within ${reads.seconds} seconds, and no write in between. Not on a frozen clock.`,
  cure: 'Read once, and again after a pause or a write. Look for what starts the request, such as an effect without dependencies.',
  level: 'note',
  ...readInSource,
}

export class RunawayReads implements Watch {
  /** By client, and by address: its latest successful reads since the latest write of the client */
  readonly #reads = new LatestMap<string, LatestMap<string, ClientRequest[]>>(100)
  /** By client and address */
  readonly #found = new LatestMap<string, ClientRequest[]>(100)

  see(request: ClientRequest): void {
    const { client, status, record } = request
    if (record.method !== 'GET') return void (request.isWrite && this.#reads.delete(client))
    if (!record.isTimed || status === 0 || status >= 400) return
    const ofClient = this.#reads.get(client) ?? new LatestMap<string, ClientRequest[]>(100)
    this.#reads.set(client, ofClient)
    const { address } = request
    const start = record.at - reads.seconds * 1_000
    const recent = (ofClient.get(address) ?? []).filter((read) => read.record.at > start)
    recent.push(request)
    ofClient.set(address, recent)
    if (recent.length < reads.times) return
    ofClient.delete(address)
    const name = `${client} ${address}`
    this.#found.set(name, [...(this.#found.get(name) ?? []), ...recent].slice(0, maxRequests))
  }

  breaches(): readonly Breach[] {
    return [...this.#found].map(([subject, requests]) => {
      const message = `The client sent the same GET ${reads.times} times within ${reads.seconds} s, and no write in between.`
      const times = Math.floor(requests.length / reads.times)
      return { rule: runawayReads, subject, message, requests, times }
    })
  }
}

const maxRequests = 100
