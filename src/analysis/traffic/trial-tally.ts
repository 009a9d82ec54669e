import {
  type OtherValue,
  otherValues,
  type PolicyId,
  type PolicySettings,
} from '../../policies/policies.ts'
import { neighboursOf, numericPolicies } from '../numbers-to-try.ts'
import type { ReplayedRequest, TrafficReplay } from './traffic-replay.ts'

/** The requests that exclude a value: with it, their responses would have been otherwise. */
export interface Tally {
  /** Their numbers in the traffic */
  readonly numbers: readonly number[]
  /** Whether further requests were not tried */
  readonly isCut: boolean
}

/** What the traffic says about a policy. */
interface PolicyTally {
  /** The requests that exclude each value */
  readonly excluded: ReadonlyMap<string | number, Tally>
  /** The values that were tried and that no request excludes */
  readonly fitting: readonly (string | number)[]
}

/** After how many requests that exclude it a value is no longer tried. */
const enough = 25

/** How often a value is tried in vain with an operation and a status, before it is no longer tried with them. */
const maxVain = 20

/** The largest number of requests that one trial may send. */
const maxCost = 200

/** Tries each request with the other values of the policies that its response used. */
export class TrialTally {
  isCut = false
  readonly #base: PolicySettings
  readonly #excluded = new Map<
    PolicyId,
    Map<string | number, { numbers: number[]; isCut: boolean }>
  >()
  readonly #tried = new Map<PolicyId, Set<string | number>>()
  readonly #vain = new Map<string, number>()
  #left: number

  /** @param limit how many requests may be sent */
  constructor(base: PolicySettings, limit: number) {
    this.#base = base
    this.#left = limit
  }

  /** Tries a request that the simulator answers as the traffic shows. */
  async add(replay: TrafficReplay, request: ReplayedRequest): Promise<void> {
    const { operation, status, consulted, number } = request
    const cost = replay.trialCost
    if (cost > maxCost) return
    for (const other of this.#valuesOf(consulted, replay.settings)) {
      const { id, value } = other
      const known = this.#excluded.get(id)?.get(value)
      const place = `${id}=${value} ${operation} ${status}`
      const vain = this.#vain.get(place) ?? 0
      if (known && known.numbers.length >= enough) {
        known.isCut = true
        continue
      }
      if (vain >= maxVain) continue
      if (this.#left < cost) {
        this.isCut = true
        return
      }
      this.#left -= cost
      add(this.#tried, id, () => new Set()).add(value)
      const isExcluded = (await replay.attempt({ [id]: value })).differences.length > 0
      if (!isExcluded) this.#vain.set(place, vain + 1)
      else {
        const values = add(this.#excluded, id, () => new Map())
        add(values, value, () => ({ numbers: [], isCut: false })).numbers.push(number)
      }
    }
  }

  of(id: PolicyId): PolicyTally {
    const excluded = this.#excluded.get(id) ?? new Map<string | number, Tally>()
    const tried = [...(this.#tried.get(id) ?? [])]
    const fitting = tried.filter((value) => !excluded.has(value))
    // A number is only shown by requests that no other number fits.
    const isShown = !numericPolicies.includes(id) || fitting.length === 0
    return isShown ? { excluded, fitting } : { excluded: new Map(), fitting }
  }

  /** The values to try: of a policy of whole numbers, the numbers beside its setting. */
  #valuesOf(ids: readonly PolicyId[], settings: PolicySettings): OtherValue[] {
    const numbers = numericPolicies.map((id) => {
      const base = this.#base[id] === settings[id] ? [] : [Number(this.#base[id])]
      return [id, [...neighboursOf(settings[id]), ...base]] as const
    })
    return otherValues(ids, settings, Object.fromEntries(numbers))
  }
}

function add<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const created = create()
  map.set(key, created)
  return created
}
