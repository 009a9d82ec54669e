import { distance } from 'fastest-levenshtein'
import type { KeyRedactor } from '../../sandbox/journal/key-redactor.ts'
import { didYouMean } from '../../utils/did-you-mean.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import type { SavedValues } from '../format/values.ts'
import { requestTitle, type TrackedRequest } from './recorded-requests.ts'
import { type IncomingRequest, type RequestCriteria, toRequestCriteria } from './request.ts'
import { diffRequest, meetsCriteria } from './request-diff.ts'

/**
 * How a recording answers. `strict`: each request once, writes in their order, reads between the writes that they
 * were recorded between; anything else is refused. `fallback`: the same, but a live simulation answers the rest.
 * `loose`: order and repetition do not matter, and the nearest request of the same method and path answers.
 */
export type ReplayMode = 'strict' | 'fallback' | 'loose'

/** Every mode. */
export const replayModes: readonly ReplayMode[] = ['strict', 'fallback', 'loose']

/** @throws UsageError for what is no mode */
export function parseReplayMode(given: unknown, task = 'choose a mode'): ReplayMode {
  if (replayModes.includes(given as ReplayMode)) return given as ReplayMode
  const expected = `one of ${replayModes.join(', ')}`
  throw unexpectedValue(task, expected, given, didYouMean(String(given), replayModes), 'mode')
}

/** Holds requests against the recorded ones. */
export class RequestMatcher {
  readonly #recorded: readonly TrackedRequest[]
  readonly #prefix: string
  readonly #wanted = new Map<TrackedRequest, RequestCriteria>()
  #saved: SavedValues = new Map()

  /** @param prefix the path at which the API begins */
  constructor(recorded: readonly TrackedRequest[], prefix: string) {
    this.#recorded = recorded
    this.#prefix = prefix
  }

  /** Fills saved values in, which may stand in any request. */
  fill(saved: SavedValues): void {
    this.#saved = saved
    this.#wanted.clear()
  }

  /** The recorded request that answers one; undefined where none does. */
  match(
    asked: IncomingRequest,
    mode: ReplayMode,
    redactor: () => KeyRedactor,
  ): TrackedRequest | undefined {
    if (mode !== 'loose') {
      return findInOrder(this.#recorded, (one) => meetsCriteria(this.#wantedOf(one), asked))
    }
    const known = redactor()
    return findClosest(this.#recorded, (one) => {
      const wanted = this.#wantedOf(one)
      if (wanted.method !== asked.method || wanted.path !== asked.path) return undefined
      return diffRequest(wanted, asked, known).length
    })
  }

  /** The recorded request that comes nearest to one that is not recorded. */
  nearest(asked: IncomingRequest, redactor: KeyRedactor): NearestRequest | null {
    return findNearestRecorded(this.#recorded, asked, (one) => this.#wantedOf(one), redactor)
  }

  #wantedOf(recorded: TrackedRequest): RequestCriteria {
    const known = this.#wanted.get(recorded)
    const wanted = known ?? toRequestCriteria(recorded.step, this.#saved, this.#prefix)
    if (!known) this.#wanted.set(recorded, wanted)
    return wanted
  }
}

/** Whether a request is a recorded one. */
type Matches = (recorded: TrackedRequest) => boolean

/**
 * The recorded request that a request is, where each is answered once. Writes come in their order; a read comes
 * between the writes that it was recorded between, in any order, since browsers ask several at once. One that a
 * write has overtaken is still answered, but of two equal ones the one after that write comes first.
 */
function findInOrder(
  recorded: readonly TrackedRequest[],
  isSame: Matches,
): TrackedRequest | undefined {
  const next = findNextWrite(recorded)
  const last = recorded.findLast(({ isWrite, asked }) => isWrite && asked > 0)
  const open = recorded.filter(
    (one) => one.asked === 0 && (!next || one.index <= next.index) && isSame(one),
  )
  return open.find(({ index }) => !last || index > last.index) ?? open[0]
}

/** The first write that was not asked yet: what comes after it has to wait. */
function findNextWrite(recorded: readonly TrackedRequest[]): TrackedRequest | undefined {
  return recorded.find(({ isWrite, asked }) => isWrite && asked === 0)
}

/**
 * The recorded request that answers a request where order and repetition do not matter: an equal one, else of
 * those with its method and path the one that differs least. Of several each in turn, then the last again.
 *
 * @param distanceOf in how many places it differs; undefined for another method or path
 */
function findClosest(
  recorded: readonly TrackedRequest[],
  distanceOf: (recorded: TrackedRequest) => number | undefined,
): TrackedRequest | undefined {
  const distances = recorded.map((one) => distanceOf(one) ?? Number.POSITIVE_INFINITY)
  const least = Math.min(...distances)
  if (least === Number.POSITIVE_INFINITY) return undefined
  const nearest = recorded.filter((_, at) => distances[at] === least)
  return nearest.find(({ asked }) => asked === 0) ?? nearest.at(-1)
}

/** A recorded request beside one that is not recorded. */
export interface NearestRequest {
  /** Counted from 1 */
  readonly step: number
  readonly title: string
  /** In what they differ, a line for each place: `query.search: expected "a", got "b"` */
  readonly differences: readonly string[]
}

/** A request that is not recorded, or not now. */
export interface UnexpectedRequest {
  readonly method: string
  /** With its query, without keys */
  readonly path: string
  /** Null where nothing is recorded */
  readonly nearest: NearestRequest | null
}

/** Comparing paths costs the square of their length. */
const maxPathLength = 200

/** The recorded request that comes nearest to one that is not recorded, and why it is not that one. */
function findNearestRecorded(
  recorded: readonly TrackedRequest[],
  asked: IncomingRequest,
  wantedOf: (recorded: TrackedRequest) => RequestCriteria,
  redactor: KeyRedactor,
): NearestRequest | null {
  let least = Number.POSITIVE_INFINITY
  let found: { one: TrackedRequest; lines: string[] } | undefined
  for (const one of recorded) {
    const wanted = wantedOf(one)
    const lines = diffRequest(wanted, asked, redactor)
    // Of those that differ as much one that can still be asked is the likelier one.
    const far = lines.length + distanceTo(wanted, asked) + (one.asked > 0 ? 0.5 : 0)
    if (far >= least) continue
    least = far
    found = { one, lines }
  }
  if (!found) return null
  const { one, lines } = found
  const differences = lines.length > 0 ? lines : [explainOrder(one, recorded)]
  return { step: one.index + 1, title: requestTitle(one.step), differences }
}

/** Another path is further away than any number of other fields, another method than a few. */
function distanceTo({ method, path }: RequestCriteria, asked: IncomingRequest): number {
  const pathFar =
    path === asked.path
      ? 0
      : 100 + distance(path.slice(0, maxPathLength), asked.path.slice(0, maxPathLength))
  return pathFar + (method === asked.method ? 0 : 10)
}

function explainOrder(one: TrackedRequest, recorded: readonly TrackedRequest[]): string {
  const next = findNextWrite(recorded)
  if (one.asked > 0 || !next) return `times: expected it once, as it was recorded, got it again`
  return `order: expected step ${next.index + 1} before it (${requestTitle(next.step)}), got none`
}
