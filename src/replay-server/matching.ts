import type { KeyRedactor } from '../journal/redact.ts'
import type { SavedValues } from '../scenarios/values.ts'
import type { IncomingRequest } from './asked.ts'
import { findClosest, findInOrder } from './choose.ts'
import { diffRequest, meetsCriteria } from './differs.ts'
import type { ReplayMode } from './mode.ts'
import { findNearestRecorded, type NearestRequest } from './nearest-recorded.ts'
import type { TrackedRequest } from './recorded.ts'
import { type RequestCriteria, toRequestCriteria } from './wanted.ts'

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
