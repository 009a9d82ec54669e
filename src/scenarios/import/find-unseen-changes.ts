import { profiles } from '../../settings/profiles.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import type { SettingValues } from '../../settings/setting.ts'
import { isUsageError } from '../../utils/errors.ts'
import { isBuiltInWorld } from '../../world/load/built-in-worlds.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { ChangeStep, RequestStep } from '../format/scenario.ts'
import { changesOfRows, type Move, measureMove, movesOf } from './edits-of-others.ts'
import { listOf } from './filler-rows.ts'
import { isUsual, type Observation } from './observation.ts'
import { possibleCauses } from './possible-causes.ts'
import type { Traffic, TrafficRequest } from './traffic.ts'
import { type Checkpoint, type SimulatedAnswer, TrafficReplay } from './traffic-replay.ts'
import {
  assumeAtFirst,
  canShow,
  editsByRequest,
  isLostWrite,
  rowsOf,
  type UnseenChanges,
} from './unseen-changes.ts'

/** A write whose response was lost, and of which nothing proves whether it took effect. */
export interface UndecidedWrite {
  readonly observation: Observation
  /** `not_shown`: no later response depends on it. `not_tried`: the traffic has too many such writes */
  readonly why: 'not_shown' | 'not_tried'
}

interface FoundChanges {
  readonly unseen: UnseenChanges
  readonly undecided: readonly UndecidedWrite[]
}

/** How many requests decide the profile. */
const decidingRequests = 500

/** Finds what happened besides the requests. */
export async function findUnseenChanges(traffic: Traffic): Promise<FoundChanges> {
  const first = assumeAtFirst(traffic.seen, traffic.skew)
  const candidates = traffic.settings
    ? [traffic.settings]
    : profiles.map((name) => resolveSettings(name))
  const finders: { readonly finder: UnseenChangeFinder; readonly count: number }[] = []
  for (const settings of candidates) {
    const finder = new UnseenChangeFinder(traffic, settings)
    const count = candidates.length > 1 ? await finder.count(first, decidingRequests) : 0
    finders.push({ finder, count })
  }
  const [best, ...others] = finders
    .sort((a, b) => a.count - b.count)
    .map(({ finder }) => finder) as [UnseenChangeFinder, ...UnseenChangeFinder[]]
  const derived = await best.find(first)
  if (!traffic.doubtsSettings) return derived
  const possible: (readonly [number, readonly ChangeStep[]])[] = []
  for (const finder of others) possible.push(...(await finder.explainingEdits(first)))
  const { unseen, undecided } = derived
  return { unseen: { ...unseen, edits: new Map([...possible, ...unseen.edits]) }, undecided }
}

/** How many requests are sent at most to try what may have happened. */
const maxSent = 30_000

/** How many rows may have moved a page. */
const maxMoved = 100

/** The requests under one assumption: the moment before each of those that were sent, and in how many places its answer differs. */
interface Attempt {
  readonly replay: TrafficReplay
  readonly unseen: UnseenChanges
  readonly edits: ReturnType<typeof editsByRequest>
  readonly moments: Checkpoint[]
  readonly differing: number[]
}

/**
 * Finds what happened besides the requests, by trial: sends them to a simulator, and where an answer differs, tries what
 * may be the cause. A cause counts if it explains the answer, and no more of the earlier ones differ.
 */
class UnseenChangeFinder {
  readonly #traffic: Traffic
  readonly #settings: SettingValues
  /** The positions of requests by the indexes of their exchanges */
  readonly #positions: ReadonlyMap<number, number>
  /** The requests that no cause explains */
  readonly #unexplained = new Set<Observation>()
  #sent = 0

  constructor(traffic: Traffic, settings: SettingValues) {
    this.#traffic = traffic
    this.#settings = settings
    this.#positions = new Map(
      traffic.requests.map(({ observation }, position) => [observation.index, position]),
    )
  }

  async find(first: UnseenChanges): Promise<FoundChanges> {
    const { requests } = this.#traffic
    let attempt = await this.#open(first)
    if (!attempt) return { unseen: first, undecided: [] }
    for (const [at, { observation }] of requests.entries()) {
      const answer = await this.#sendAt(attempt, at)
      if (!answer || answer.differing === 0 || !isUsual(observation)) continue
      const explained = await this.#tryCauses(attempt, at, answer)
      if (explained) {
        attempt = explained
        continue
      }
      attempt = await this.#tryEdits(attempt, at, answer)
      if (differingAt(attempt, at) > 0) this.#unexplained.add(observation)
    }
    return { unseen: attempt.unseen, undecided: await this.#findUndecided(attempt) }
  }

  /** What others may have changed before requests that nothing else explains. */
  async explainingEdits(
    first: UnseenChanges,
  ): Promise<(readonly [number, readonly ChangeStep[]])[]> {
    const { unseen } = await this.find(first)
    const unexplained = new Set([...this.#unexplained].map(({ index }) => index))
    return [...unseen.edits].filter(([index]) => !unexplained.has(index))
  }

  /** How many of the first requests get another response. */
  async count(unseen: UnseenChanges, length: number): Promise<number> {
    const attempt = await this.#open(unseen)
    if (!attempt) return Number.POSITIVE_INFINITY
    const last = Math.min(length, this.#traffic.requests.length) - 1
    await this.#sendRange(attempt, 0, last)
    return countDiffering(attempt, 0, last)
  }

  /** The writes of which nothing proves whether they took effect. */
  async #findUndecided(attempt: Attempt): Promise<UndecidedWrite[]> {
    const { requests } = this.#traffic
    const undecided: UndecidedWrite[] = []
    for (const [at, { observation }] of requests.entries()) {
      if (!isLostWrite(observation) || attempt.unseen.tookEffect.has(observation.index)) continue
      const last = requests.findLastIndex((later) => canShow(later.observation, observation))
      const tookEffect = new Set([...attempt.unseen.tookEffect, observation.index])
      const other =
        last > at && this.#sent <= maxSent
          ? await this.#retry(attempt, { ...attempt.unseen, tookEffect }, at, last)
          : null
      const isSame =
        other !== null && countDiffering(other, last, last) <= countDiffering(attempt, last, last)
      if (last <= at || isSame) undecided.push({ observation, why: 'not_shown' })
      else if (this.#sent > maxSent) undecided.push({ observation, why: 'not_tried' })
    }
    return undecided
  }

  /** @returns null if its world cannot be loaded, or is not known */
  async #open(unseen: UnseenChanges): Promise<Attempt | null> {
    const world = this.#traffic.worldOf(unseen)
    if (!world || (typeof world === 'string' && !isBuiltInWorld(world))) return null
    const edits = editsByRequest(unseen, this.#traffic.seen)
    try {
      const { clock } = this.#traffic
      const replay = await TrafficReplay.open(world as WorldJson, this.#settings, clock)
      return { replay, unseen, edits, moments: [], differing: [] }
    } catch (error) {
      if (isUsageError(error)) return null
      throw error
    }
  }

  /** Makes the changes of others before a request, and sends it. */
  async #sendAt(attempt: Attempt, at: number): Promise<SimulatedAnswer | null> {
    const { observation, step } = this.#traffic.requests[at] as TrafficRequest
    const { replay, edits } = attempt
    attempt.moments[at] = replay.mark()
    for (const change of edits.get(observation.index) ?? []) await replay.change(change)
    const answer = step && (await this.#send(attempt, observation, step))
    attempt.differing[at] = answer?.differing ?? 0
    return answer
  }

  async #send(
    { replay, unseen }: Attempt,
    observation: Observation,
    step: RequestStep,
  ): Promise<SimulatedAnswer> {
    this.#sent += 1
    return replay.send(step, this.#traffic.faultOf(observation, unseen))
  }

  /** @param most ends when more answers differ @returns whether no more did */
  async #sendRange(attempt: Attempt, from: number, to: number, most = Infinity): Promise<boolean> {
    let count = 0
    for (let at = from; at <= to; at += 1) {
      await this.#sendAt(attempt, at)
      count += Number(differingAt(attempt, at) > 0)
      if (count > most) return false
    }
    return true
  }

  /**
   * Sends a range of requests again, with other changes.
   *
   * @param from the first request that they affect. Null for another world before the first request
   * @returns null if more answers before the last one differ than before
   */
  async #retry(
    attempt: Attempt,
    unseen: UnseenChanges,
    from: number | null,
    to: number,
  ): Promise<Attempt | null> {
    const start = from ?? 0
    const most = countDiffering(attempt, start, to - 1)
    const changed =
      from === null
        ? await this.#open(unseen)
        : {
            ...{ replay: attempt.replay, unseen },
            edits: editsByRequest(unseen, this.#traffic.seen),
            moments: attempt.moments.slice(0, from),
            differing: attempt.differing.slice(0, from),
          }
    if (!changed) return null
    if (from !== null) changed.replay.goBack(attempt.moments[from] as Checkpoint)
    if (!(await this.#sendRange(changed, start, to - 1, most))) return null
    await this.#sendAt(changed, to)
    return changed
  }

  /** Tries what may have happened before a request whose answer differs. Null if nothing explains it */
  async #tryCauses(attempt: Attempt, at: number, answer: SimulatedAnswer): Promise<Attempt | null> {
    const positions = this.#positions
    for (const { unseen, since } of possibleCauses(
      this.#traffic,
      at,
      answer,
      attempt.unseen,
      positions,
    )) {
      if (this.#sent > maxSent) return null
      const retry = await this.#retry(attempt, unseen, since, at)
      if (retry && differingAt(retry, at) === 0) return retry
    }
    return null
  }

  /** Tries what others may have changed right before a request: rows, and what moves a page. */
  async #tryEdits(attempt: Attempt, at: number, answer: SimulatedAnswer): Promise<Attempt> {
    const { observation } = this.#traffic.requests[at] as TrafficRequest
    let best = await this.#edit(attempt, at, answer)
    if (differingAt(best, at) === 0 || !this.#canHaveMoved(best, at)) return best
    for (const shift of await this.#possibleShifts(best, at)) {
      if (this.#sent > maxSent) break
      const shifts = new Map(best.unseen.shifts).set(observation.index, shift)
      const moved =
        shift === 0 ? best : await this.#retry(best, { ...best.unseen, shifts }, null, at)
      const edited = moved && (await this.#move(moved, at))
      if (edited && differingAt(edited, at) < differingAt(best, at)) best = edited
      if (differingAt(best, at) === 0) return best
    }
    await this.#sendAgain(best, at)
    return best
  }

  /** Whether a page is another one than the simulated page, and the page that was read before it is not. */
  #canHaveMoved(attempt: Attempt, at: number): boolean {
    const { requests, seen } = this.#traffic
    const { observation } = requests[at] as TrafficRequest
    const rows = rowsOf(observation, seen)
    if (!rows || observation.page?.count == null) return false
    const name = listOf(observation, rows)
    const before = requests.slice(0, at).findLastIndex(({ observation: earlier }) => {
      return earlier.list === rows.list && earlier.page !== null && listOf(earlier, rows) === name
    })
    return before >= 0 && differingAt(attempt, before) === 0
  }

  /** By how many rows a page may have moved. The row that nobody saw may as well have moved out of the page. */
  async #possibleShifts(attempt: Attempt, at: number): Promise<readonly number[]> {
    const move = await this.#measure(attempt, at)
    const { page } = (this.#traffic.requests[at] as TrafficRequest).observation
    if (!move || !page || !this.#traffic.hasOwnWorld) return move ? [0] : []
    const { inFront, behind } = move
    if (inFront !== 0) return [-inFront, 0]
    return behind < 0 && page.offset > 0 ? [-behind, 0] : [0]
  }

  async #measure(attempt: Attempt, at: number): Promise<Move | null> {
    const { observation, step } = this.#traffic.requests[at] as TrafficRequest
    await this.#sendAgain(attempt, at)
    const move = step && measureMove(await attempt.replay.wholeList(step), observation)
    const isShort = move && Math.abs(move.inFront) + Math.abs(move.behind) <= maxMoved
    return isShort ? move : null
  }

  /** Plays a request again, from the moment before it. */
  async #sendAgain(attempt: Attempt, at: number): Promise<SimulatedAnswer | null> {
    attempt.replay.goBack(attempt.moments[at] as Checkpoint)
    return this.#sendAt(attempt, at)
  }

  /** Adds the changes of rows that a response shows, if it differs in less with them. */
  async #edit(attempt: Attempt, at: number, answer: SimulatedAnswer): Promise<Attempt> {
    const { seen, requests } = this.#traffic
    const { observation } = requests[at] as TrafficRequest
    attempt.replay.goBack(attempt.moments[at] as Checkpoint)
    const changes = changesOfRows(observation, answer, seen, attempt.replay)
    return (await this.#withEdits(attempt, at, changes)) ?? attempt
  }

  /** Adds and removes rows so that a page has moved as far as the recorded one. Null if that explains nothing */
  async #move(attempt: Attempt, at: number): Promise<Attempt | null> {
    const { seen, requests } = this.#traffic
    const { observation, step } = requests[at] as TrafficRequest
    const answer = await this.#sendAgain(attempt, at)
    const edited = answer && step ? await this.#edit(attempt, at, answer) : null
    if (!edited || !step) return null
    await this.#sendAgain(edited, at)
    const whole = await edited.replay.wholeList(step)
    const later = requests.slice(at + 1).map((request) => request.observation)
    const moves = movesOf(whole, observation, later, seen, edited.replay)
    return moves && this.#withEdits(edited, at, moves)
  }

  /** Plays a request after further changes. Null if it differs in as much as without them */
  async #withEdits(
    attempt: Attempt,
    at: number,
    changes: readonly ChangeStep[],
  ): Promise<Attempt | null> {
    const { observation } = this.#traffic.requests[at] as TrafficRequest
    const known = attempt.unseen.edits.get(observation.index) ?? []
    const edits = new Map(attempt.unseen.edits).set(observation.index, [...known, ...changes])
    const unseen = { ...attempt.unseen, edits }
    const edited: Attempt = {
      ...{ replay: attempt.replay, unseen, edits: editsByRequest(unseen, this.#traffic.seen) },
      moments: [...attempt.moments],
      differing: [...attempt.differing],
    }
    if (changes.length > 0) await this.#sendAgain(edited, at)
    if (changes.length > 0 && differingAt(edited, at) < differingAt(attempt, at)) return edited
    await this.#sendAgain(attempt, at)
    return null
  }
}

function differingAt({ differing }: Attempt, at: number): number {
  return differing[at] ?? 0
}

/** How many answers of a range differ. */
function countDiffering({ differing }: Attempt, from: number, to: number): number {
  return differing.slice(from, to + 1).filter((places) => places > 0).length
}
