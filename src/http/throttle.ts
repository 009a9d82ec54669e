import { LatestMap } from '../utils/latest-map.ts'
import type { KeyRow } from '../world/rows.ts'
import { Failure } from './failures.ts'
import { nameKey } from './key-reasons.ts'

/** The limits of the live service, from its source. */
const rateLimits = [
  { requests: 480, milliseconds: 60_000 },
  { requests: 4_800, milliseconds: 3_600_000 },
]

const longestPeriod = Math.max(...rateLimits.map(({ milliseconds }) => milliseconds))

/** Counts the requests of each key in sliding windows of one minute and one hour. */
export class Throttle {
  /** The times of the counted requests of each of the latest keys in the longest window, oldest first. */
  readonly #times = new LatestMap<string, number[]>()

  /**
   * Counts a request, unless it exceeds a limit.
   *
   * @param now in milliseconds since 1970
   * @returns 0, or the whole seconds until the key may send again
   */
  countRequest(key: string, now: number): number {
    const earlier = this.#times.get(key) ?? []
    // Later times are those of a clock that was set back since.
    const times = earlier.filter((time) => time > now - longestPeriod && time <= now)
    const waits = rateLimits.map(({ requests, milliseconds }) => {
      const oldest = times.at(-requests)
      return oldest === undefined ? 0 : Math.max(0, oldest + milliseconds - now)
    })
    const seconds = Math.ceil(Math.max(...waits) / 1000)
    if (seconds === 0) times.push(now)
    this.#times.set(key, times)
    return seconds
  }
}

export function throttledFailure(seconds: number, key?: KeyRow): Failure {
  const wait = `${seconds} second${seconds === 1 ? '' : 's'}`
  return new Failure('throttled', `Request was throttled. Expected available in ${wait}.`, {
    retryAfter: seconds,
    reason:
      key &&
      (() => `${nameKey(key)} has sent too many requests; its next request is allowed in ${wait}`),
  })
}

interface Throttled {
  readonly headers: Pick<Headers, 'get'>
  readonly text: string
  /** When the response was sent, if it has no `Date`: milliseconds since 1970 */
  readonly at?: number
}

/** How long to wait after a 429, in seconds: by its header, or by its words. Undefined if it does not say */
export function waitOfThrottled({ headers, text, at }: Throttled): number | undefined {
  const header = headers.get('retry-after')
  if (header !== null) {
    const date = headers.get('date')
    const elapsed = Date.parse(header) - (date === null ? (at ?? Number.NaN) : Date.parse(date))
    const seconds = /^\d+$/.test(header) ? Number(header) : elapsed / 1000
    if (!Number.isNaN(seconds)) return Math.max(0, seconds)
  }
  const [, words] = /(\d{1,6}) seconds?\b/.exec(text) ?? []
  return words === undefined ? undefined : Number(words)
}
