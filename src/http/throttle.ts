import { Failure } from './failures.ts'

/** How many requests a key may send in a span of time (observed §7). */
interface RateLimit {
  readonly requests: number
  readonly milliseconds: number
}

const rateLimits: readonly RateLimit[] = [
  { requests: 480, milliseconds: 60_000 },
  { requests: 4_800, milliseconds: 3_600_000 },
]

/** Counts the requests of each key in sliding windows of a minute and of an hour. */
export class Throttle {
  /** When each key sent its latest requests, oldest first: at most as many as the widest window lets through. */
  readonly #sent = new Map<string, number[]>()

  /**
   * Counts a request, unless it is one too many.
   *
   * @param now milliseconds since 1970
   * @returns whole seconds until the key may send again; 0 when it may now
   */
  countRequest(key: string, now: number): number {
    const longest = Math.max(...rateLimits.map(({ milliseconds }) => milliseconds))
    const sent = (this.#sent.get(key) ?? []).filter((time) => time > now - longest)
    const waits = rateLimits.map(({ requests, milliseconds }) => {
      const first = sent.at(-requests)
      return first === undefined ? 0 : Math.max(0, first + milliseconds - now)
    })
    const wait = Math.ceil(Math.max(...waits) / 1000)
    if (wait === 0) sent.push(now)
    this.#sent.set(key, sent)
    return wait
  }
}

/** The refusal of a request that came too soon. */
export function throttledFailure(seconds: number): Failure {
  const wait = `${seconds} second${seconds === 1 ? '' : 's'}`
  return new Failure('throttled', `Request was throttled. Expected available in ${wait}.`, {
    retryAfter: seconds,
  })
}
