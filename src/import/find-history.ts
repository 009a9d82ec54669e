import type { ChangeStep, RequestStep } from '../scenarios/format/scenario.ts'
import { profiles } from '../settings/profiles.ts'
import { resolveSettings, type SettingOverrides } from '../settings/resolve.ts'
import type { SettingValues } from '../settings/setting.ts'
import { isUsageError } from '../utils/errors.ts'
import { isSameJson } from '../utils/json.ts'
import type { ClockSetting } from '../world/clock/clock.ts'
import { isBuiltInWorld } from '../world/load/built-in-worlds.ts'
import type { WorldJson } from '../world/world-json.ts'
import {
  canShow,
  comingEarlier,
  firstChange,
  guessHistory,
  type History,
  isLike,
  isLostWrite,
  nameOf,
  rowsOf,
  type SeenLists,
  withEdits,
} from './history.ts'
import { isSideRead, isUsual, type Observation } from './observation.ts'
import type { Skew } from './order.ts'
import { asEdits, asMoved, atStart, repairOf, settleWrite } from './repairs.ts'
import { type Checkpoint, type SimulatedAnswer, TrafficReplay } from './traffic-replay.ts'

/** Requests in the order in which the service processed them. The step is null if none can send it. */
export type Requests = readonly {
  readonly observation: Observation
  readonly step: RequestStep | null
}[]

/** Requests, and what may be tried to explain their responses. */
interface Traffic {
  readonly requests: Requests
  readonly seen: SeenLists
  readonly skew: Skew | null
  /** The world before the first request: rows, or the name of a fixture. Null if it is not known */
  worldOf(history: History): WorldJson | string | null | undefined
  faultOf(observation: Observation, history: History): ChangeStep | null
  /** Whether the rows before the first request follow from the responses */
  readonly hasOwnWorld: boolean
  readonly clock: ClockSetting | undefined
  /** By default those of the profile that explains more responses */
  readonly settings: SettingValues | undefined
  /** What the links of pages show, whatever the profile is */
  readonly shown: SettingOverrides
  /** Called before each request that a simulator gets, which waits for it */
  readonly onSent?: (() => Promise<void>) | undefined
}

/** A write whose response was lost, and of which nothing proves whether it took effect. */
export interface UndecidedWrite {
  readonly observation: Observation
  /** `not_shown`: no later response depends on it. `not_tried`: the traffic has too many such writes */
  readonly why: 'not_shown' | 'not_tried'
}

interface Found {
  readonly history: History
  /** What writes did by their own responses, and a simulator does otherwise: right after them, by their indexes */
  readonly results: ReadonlyMap<number, ChangeStep>
  readonly undecided: readonly UndecidedWrite[]
  /** The requests whose responses nothing explains, by their indexes */
  readonly unexplained: ReadonlySet<number>
  /** Whether the search ended before everything was tried */
  readonly isCut: boolean
}

const decidingRequests = 500
/** How many requests a search sends */
export const maxSent = 30_000
const maxMoved = 100

/** Finds what happened besides the requests. */
export async function findHistory(traffic: Traffic): Promise<Found> {
  const guess = guessHistory(traffic.seen, traffic.skew)
  const candidates = traffic.settings
    ? [traffic.settings]
    : profiles.map((name) => resolveSettings(name, traffic.shown))
  const solvers: { readonly solver: Solver; readonly count: number }[] = []
  for (const settings of candidates) {
    const solver = new Solver(traffic, settings)
    const count = candidates.length > 1 ? await solver.count(guess, decidingRequests) : 0
    solvers.push({ solver, count })
    if (count === 0) break
  }
  const [best] = solvers.sort((a, b) => a.count - b.count)
  return (best as (typeof solvers)[number]).solver.find(guess)
}

/** The requests under one history: the moment before each of those that were sent, and in how many places its answer differs. */
interface Attempt {
  readonly replay: TrafficReplay
  readonly history: History
  readonly moments: Checkpoint[]
  readonly differing: number[]
  /** By the indexes of the writes */
  readonly results: Map<number, ChangeStep>
}

/**
 * Sends requests to a simulator. Where an answer differs, it tries what may be the cause: lost writes took effect, rows
 * were other ones from the start, others changed rows now. A cause counts if less differs, and no more of the earlier
 * answers do.
 */
class Solver {
  readonly #traffic: Traffic
  readonly #settings: SettingValues
  readonly #observations: readonly Observation[]
  #sent = 0
  /** The first requests, as they were counted */
  #counted: Attempt | null = null

  constructor(traffic: Traffic, settings: SettingValues) {
    this.#traffic = traffic
    this.#settings = settings
    this.#observations = traffic.requests.map(({ observation }) => observation)
  }

  /** How many of the first requests get another response. */
  async count(history: History, length: number): Promise<number> {
    const attempt = await this.#open(history)
    if (!attempt) return Number.POSITIVE_INFINITY
    const last = Math.min(length, this.#traffic.requests.length) - 1
    await this.#sendRange(attempt, 0, last)
    this.#counted = attempt
    return countDiffering(attempt, 0, last)
  }

  async find(guess: History): Promise<Found> {
    const { requests } = this.#traffic
    const unexplained = new Set<number>()
    let attempt = this.#counted ?? (await this.#open(guess))
    if (!attempt)
      return { history: guess, results: new Map(), undecided: [], unexplained, isCut: false }
    const { differing, replay, moments } = attempt
    const first = differing.findIndex((places) => places > 0)
    const start = first < 0 ? differing.length : first
    if (first >= 0) replay.goBack(moments[first] as Checkpoint)
    differing.length = start
    for (const [at, { observation }] of requests.entries()) {
      if (at < start) continue
      const answer = await this.#sendAt(attempt, at)
      if (!answer || answer.differing === 0 || !isUsual(observation)) continue
      if (!isSideRead(observation)) attempt = await this.#explain(attempt, at, answer)
      if (differingAt(attempt, at) > 0) unexplained.add(observation.index)
    }
    const undecided = await this.#findUndecided(attempt)
    const isCut = this.#sent > maxSent
    return { history: attempt.history, results: attempt.results, undecided, unexplained, isCut }
  }

  async #explain(attempt: Attempt, at: number, answer: SimulatedAnswer): Promise<Attempt> {
    let best = attempt
    for (
      let round = 0;
      round < 4 && differingAt(best, at) > 0 && this.#sent <= maxSent;
      round += 1
    ) {
      let better: Attempt | null = null
      for await (const history of this.#proposals(best, at, answer)) {
        const tried = await this.#retry(best, history, at)
        if (tried && differingAt(tried, at) < differingAt(better ?? best, at)) better = tried
        if (better && differingAt(better, at) === 0) break
        if (this.#sent > maxSent) break
      }
      best = better ?? best
      answer = (await this.#sendAgain(best, at)) ?? answer
      if (!better) break
    }
    return best
  }

  async *#proposals(
    attempt: Attempt,
    at: number,
    answer: SimulatedAnswer,
  ): AsyncGenerator<History> {
    const { requests, seen, hasOwnWorld } = this.#traffic
    const { observation, step } = requests[at] as Requests[number]
    const { history, replay } = attempt
    if (observation.status === 401 && answer.status !== 401 && observation.key !== null) {
      yield withEdits(history, observation, [{ revoke: observation.key }])
      return
    }
    const rows = rowsOf(observation, seen)
    if (!rows || !step) return
    await this.#sendAgain(attempt, at)
    const whole =
      observation.page && observation.status === 200 ? await replay.wholeList(step) : null
    const repair = repairOf(observation, answer, rows, whole, replay)
    const now = rows.observations.indexOf(observation)
    const [before, later] = [rows.observations.slice(0, now), rows.observations.slice(now + 1)]
    const idsOf = ({ rows }: Observation) => rows.map(({ id }) => Number(id))
    const lastRead = before.findLastIndex(({ page }) => page?.count != null)
    const created = before.slice(0, lastRead + 1).filter(({ verb }) => verb === 'create')
    const known = {
      ...{ observation, rows, replay },
      shownBefore: new Set([...before, observation].flatMap(idsOf)),
      shownLater: new Set(
        later.flatMap((read) =>
          read.status < 300 ? [...idsOf(read), Number(read.params.id)] : [],
        ),
      ),
      came: [
        ...rows.created,
        ...[...history.left.values()].flatMap(({ list, id }) => (list === rows.list ? id : [])),
        ...[...rows.shown.values()].flatMap((row) => (history.late.has(nameOf(row)) ? row.id : [])),
      ],
      newest: Math.max(0, ...created.flatMap(idsOf)),
    }
    yield* this.#lostWrites(attempt, at, answer, rows)
    if (!repair) return
    const { front, behind } = repair
    const next = requests.slice(at).map((request) => request.observation)
    const coming = comingEarlier(history, next, front.more + behind.more)
    if (coming) yield coming
    const isFar = Math.abs(front.more) + Math.abs(behind.more) > maxMoved
    if (hasOwnWorld) yield atStart(history, repair, known)
    const edits = asEdits(history, repair, known, false)
    if (edits) yield edits
    if (isFar) return
    if (hasOwnWorld) {
      const moved = asMoved(history, repair, known)
      const opened = moved && (await this.#retry(attempt, moved, at))
      if (opened) {
        const again = await this.#sendAgain(opened, at)
        await this.#sendAgain(opened, at)
        const list = await opened.replay.wholeList(step)
        const still = again && repairOf(observation, again, rows, list, opened.replay)
        const moves = still && asEdits(moved, still, { ...known, replay: opened.replay }, true)
        if (moves) yield moves
      }
    }
    const moves = asEdits(history, repair, known, true)
    if (moves) yield moves
  }

  /** Writes without a response took effect: several at once, and each alone. */
  *#lostWrites(
    { history }: Attempt,
    at: number,
    answer: SimulatedAnswer,
    rows: SeenLists['plugins'],
  ): Generator<History> {
    const observation = this.#observations[at] as Observation
    const creates = new Set(rows.createsWithoutRow)
    const lost = this.#observations.slice(0, at).filter((write) => {
      const isOpen = canShow(observation, write) && !history.tookEffect.has(write.index)
      return isOpen && (isLostWrite(write) || creates.has(write))
    })
    const ofRows = lost.filter(({ params }) => {
      const isRow = ({ id }: { id: unknown }) => id === Number(params.id)
      return !isSameJson(observation.rows.find(isRow), answer.rows.find(isRow))
    })
    const took = (writes: typeof lost) =>
      new Set([...history.tookEffect, ...writes.map(({ index }) => index)])
    if (ofRows.length > 1) yield { ...history, tookEffect: took(ofRows) }
    const [shown, simulated] = [observation, answer].map((of) =>
      of.rows.map(({ id }) => Number(id)),
    ) as [number[], number[]]
    const differing = [
      ...shown.filter((id) => !simulated.includes(id)),
      ...simulated.filter((id) => !shown.includes(id)),
    ]
    for (const write of lost) {
      for (const id of write.verb === 'create' ? differing : []) {
        const row = rows.shown.get(id)
        const isLeft = [...history.left.values()].some(
          (leftRow) => leftRow.id === id && leftRow.list === rows.list,
        )
        if (!row || isLeft || !isLike(write.sent, row.fields)) continue
        const start = new Map(history.start)
        start.delete(nameOf(row))
        const left = new Map(history.left).set(write.index, row)
        yield { ...history, start, left, tookEffect: took([write]) }
      }
      yield { ...history, tookEffect: took([write]) }
    }
  }

  /** The writes of which nothing proves whether they took effect. */
  async #findUndecided(attempt: Attempt): Promise<UndecidedWrite[]> {
    const { requests } = this.#traffic
    const { history } = attempt
    const undecided: UndecidedWrite[] = []
    for (const [at, { observation }] of requests.entries()) {
      if (!isLostWrite(observation) || history.tookEffect.has(observation.index)) continue
      const last = requests.findLastIndex((later) => canShow(later.observation, observation))
      const tookEffect = new Set([...history.tookEffect, observation.index])
      const other =
        last > at && this.#sent <= maxSent
          ? await this.#retry(attempt, { ...history, tookEffect }, last)
          : null
      const isSame =
        other !== null && countDiffering(other, last, last) <= countDiffering(attempt, last, last)
      if (last <= at || isSame) undecided.push({ observation, why: 'not_shown' })
      else if (this.#sent > maxSent) undecided.push({ observation, why: 'not_tried' })
    }
    return undecided
  }

  /** @returns null if its world cannot be loaded, or is not known */
  async #open(history: History): Promise<Attempt | null> {
    const world = this.#traffic.worldOf(history)
    if (!world || (typeof world === 'string' && !isBuiltInWorld(world))) return null
    try {
      const { clock } = this.#traffic
      const replay = await TrafficReplay.open(world as WorldJson, this.#settings, clock)
      return { replay, history, moments: [], differing: [], results: new Map() }
    } catch (error) {
      if (isUsageError(error)) return null
      throw error
    }
  }

  /** Makes the changes of others before a request, and sends it. */
  async #sendAt(attempt: Attempt, at: number): Promise<SimulatedAnswer | null> {
    const { observation, step } = this.#traffic.requests[at] as Requests[number]
    const { replay, history } = attempt
    attempt.moments[at] = replay.mark()
    for (const change of history.edits.get(observation.index) ?? []) await replay.change(change)
    const [created] = observation.verb === 'create' ? observation.rows : []
    const rows = rowsOf(observation, this.#traffic.seen)
    if (rows && created) replay.skipIds(rows.list, Number(created.id))
    const ready = replay.mark()
    if (step) this.#sent += 1
    if (step) await this.#traffic.onSent?.()
    const answer = step && (await replay.send(step, this.#traffic.faultOf(observation, history)))
    attempt.differing[at] = answer?.differing ?? 0
    attempt.results.delete(observation.index)
    const result =
      rows && answer && (await settleWrite(observation, answer, rows, history, replay, ready))
    if (result) attempt.results.set(observation.index, result)
    return answer
  }

  /** Plays a request again, from the moment before it. */
  async #sendAgain(attempt: Attempt, at: number): Promise<SimulatedAnswer | null> {
    attempt.replay.goBack(attempt.moments[at] as Checkpoint)
    return this.#sendAt(attempt, at)
  }

  /** @param before ends when an answer differs in more places than it did @returns whether none did */
  async #sendRange(
    attempt: Attempt,
    from: number,
    to: number,
    before: readonly number[] = [],
  ): Promise<boolean> {
    for (let at = from; at <= to; at += 1) {
      await this.#sendAt(attempt, at)
      if (differingAt(attempt, at) > (before[at] ?? Infinity)) return false
    }
    return true
  }

  /** Sends the requests again that another history changes. @returns null if more answers before the last one differ than before */
  async #retry(attempt: Attempt, history: History, to: number): Promise<Attempt | null> {
    const from = firstChange(attempt.history, history, this.#observations)
    if (from === -1) return null
    const start = from ?? 0
    const changed =
      from === null
        ? await this.#open(history)
        : {
            replay: attempt.replay,
            history,
            moments: attempt.moments.slice(0, from),
            differing: attempt.differing.slice(0, from),
            results: new Map(attempt.results),
          }
    if (!changed) return null
    if (from !== null) changed.replay.goBack(attempt.moments[from] as Checkpoint)
    if (!(await this.#sendRange(changed, start, to - 1, attempt.differing))) return null
    await this.#sendAt(changed, to)
    return changed
  }
}

function differingAt({ differing }: Attempt, at: number): number {
  return differing[at] ?? 0
}

/** How many answers of a range differ. */
function countDiffering({ differing }: Attempt, from: number, to: number): number {
  return differing.slice(from, to + 1).filter((places) => places > 0).length
}
