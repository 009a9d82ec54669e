import type { Redactor } from '../journal/redact.ts'
import type { Saved } from '../scenarios/values.ts'
import type { Asked } from './asked.ts'
import { inAnyOrder, inOrder } from './choose.ts'
import { differsIn, isSame } from './differs.ts'
import type { ReplayMode } from './mode.ts'
import { type NearestRequest, nearestRecorded } from './nearest-recorded.ts'
import type { Recorded } from './recorded.ts'
import { type Wanted, wantedOf } from './wanted.ts'

/** Holds requests against the recorded ones. */
export class Matching {
  readonly #recorded: readonly Recorded[]
  readonly #prefix: string
  readonly #wanted = new Map<Recorded, Wanted>()
  #saved: Saved = new Map()

  /** @param prefix the path at which the API begins */
  constructor(recorded: readonly Recorded[], prefix: string) {
    this.#recorded = recorded
    this.#prefix = prefix
  }

  /** Fills saved values in, which may stand in any request. */
  fill(saved: Saved): void {
    this.#saved = saved
    this.#wanted.clear()
  }

  /** The recorded request that answers one; undefined where none does. */
  choose(asked: Asked, mode: ReplayMode, redactor: () => Redactor): Recorded | undefined {
    if (mode !== 'loose') {
      return inOrder(this.#recorded, (one) => isSame(this.#wantedOf(one), asked))
    }
    const known = redactor()
    return inAnyOrder(this.#recorded, (one) => {
      const wanted = this.#wantedOf(one)
      if (wanted.method !== asked.method || wanted.path !== asked.path) return undefined
      return differsIn(wanted, asked, known).length
    })
  }

  /** The recorded request that comes nearest to one that is not recorded. */
  nearest(asked: Asked, redactor: Redactor): NearestRequest | null {
    return nearestRecorded(this.#recorded, asked, (one) => this.#wantedOf(one), redactor)
  }

  #wantedOf(recorded: Recorded): Wanted {
    const known = this.#wanted.get(recorded)
    const wanted = known ?? wantedOf(recorded.step, this.#saved, this.#prefix)
    if (!known) this.#wanted.set(recorded, wanted)
    return wanted
  }
}
