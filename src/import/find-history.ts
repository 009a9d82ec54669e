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
import { explainRows, repairOf } from './repairs.ts'
import { settleWrite } from './settle-write.ts'
import { type Checkpoint, type SimulatedAnswer, TrafficReplay } from './traffic-replay.ts'

/** Requests in the order in which the service processed them. The step is null if none can send it. */
export type Requests = readonly {
  readonly observation: Observation
  readonly step: RequestStep | null
}[]

/** Requests, and what may be assumed to explain their responses. */
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

interface Found {
  readonly history: History
  /** What writes did by their own responses, and a simulator does otherwise: right after them, by their indexes */
  readonly results: ReadonlyMap<number, ChangeStep>
  /** Lost writes of which no later response shows whether they took effect */
  readonly undecided: readonly Observation[]
  /** The requests whose responses nothing explains, by their indexes */
  readonly unexplained: ReadonlySet<number>
}

/** Finds what happened besides the requests, under each profile: the one counts that leaves less to others. */
export async function findHistory(traffic: Traffic): Promise<Found> {
  const candidates = traffic.settings
    ? [traffic.settings]
    : profiles.map((name) => resolveSettings(name, traffic.shown))
  let best: Found | null = null
  for (const settings of candidates) {
    const found = await new Pass(traffic, settings).find()
    if (!best || costOf(found) < costOf(best)) best = found
    if (costOf(best) === 0) break
  }
  return best as Found
}

/** How much others did, and how much nothing explains. */
export function costOf({ history, unexplained }: Found): number {
  return [...history.edits.values()].flat().length + unexplained.size
}

/** More lost writes are not tried for one response. */
const maxTried = 8

/** What is known after some requests. */
interface Progress {
  readonly history: History
  /** By the positions of requests: the moment before each, and in how many places its answer differs */
  readonly moments: readonly Checkpoint[]
  readonly differing: readonly number[]
  readonly results: ReadonlyMap<number, ChangeStep>
}

/**
 * Sends the requests to a simulator, one after another. Where an answer differs, lost writes took effect, or else others
 * changed the rows that it shows, right before it. What still differs has no explanation.
 */
class Pass {
  readonly #traffic: Traffic
  readonly #settings: SettingValues
  readonly #observations: readonly Observation[]
  #progress: Progress
  /** What is in the world from the start, and was found out before a request */
  readonly #late = new Map<number, readonly ChangeStep[]>()

  constructor(traffic: Traffic, settings: SettingValues) {
    this.#traffic = traffic
    this.#settings = settings
    this.#observations = traffic.requests.map(({ observation }) => observation)
    const history = guessHistory(traffic.seen, traffic.skew)
    this.#progress = { history, moments: [], differing: [], results: new Map() }
  }

  async find(): Promise<Found> {
    const unexplained = new Set<number>()
    const replay = await this.#open()
    for (const [at, observation] of replay ? this.#observations.entries() : []) {
      const answer = await this.#send(replay as TrafficReplay, at)
      if (!answer || answer.differing === 0 || !isUsual(observation)) continue
      if (!isSideRead(observation)) await this.#explain(replay as TrafficReplay, at, answer)
      if (this.#differs(at) > 0) unexplained.add(observation.index)
    }
    const { history, results } = this.#progress
    const undecided = replay ? this.#observations.filter((_, at) => this.#isUndecided(at)) : []
    return { history, results, undecided, unexplained }
  }

  /** Whether a request and a write of the same list overlap, by more than the millisecond to which starts are rounded. */
  #isDuringWrite({ index, list, from, until }: Observation): boolean {
    return this.#observations.some(
      (write) =>
        write.index !== index &&
        write.list === list &&
        write.method !== 'GET' &&
        write.rows.length > 0 &&
        write.from + 1 < until &&
        write.until > from + 1,
    )
  }

  #differs(at: number): number {
    return this.#progress.differing[at] ?? 0
  }

  async #explain(replay: TrafficReplay, at: number, answer: SimulatedAnswer): Promise<void> {
    const observation = this.#observations[at] as Observation
    for (const { first, history } of this.#lostWrites(at, answer)) {
      await this.#try(replay, history, this.#observations.indexOf(first), at)
      if (this.#differs(at) === 0) return
    }
    // What it shows can have been so before or after the write.
    if (this.#isDuringWrite(observation)) return
    const { history } = this.#progress
    const isRefusal = observation.status === 401 && answer.status !== 401
    if (isRefusal && observation.key !== null) {
      const revoked = withEdits(history, observation, [{ revoke: observation.key }])
      return this.#try(replay, revoked, at, at)
    }
    const explained = await this.#otherRows(replay, at, answer)
    if (!explained) return
    const before = this.#late.get(at) ?? []
    this.#late.set(at, [...before, ...explained.late])
    const differing = this.#differs(at)
    await this.#try(replay, explained.history, at, at)
    if (this.#differs(at) === differing) this.#late.set(at, before)
  }

  /** The rows that a response shows otherwise, or that its page has place for. */
  async #otherRows(replay: TrafficReplay, at: number, answer: SimulatedAnswer) {
    const { requests, seen, hasOwnWorld } = this.#traffic
    const { observation, step } = requests[at] as Requests[number]
    const rows = rowsOf(observation, seen)
    if (!rows || !step) return null
    const isPage = observation.page !== null && observation.status === 200
    const whole = isPage ? await replay.wholeList(step) : null
    const repair = repairOf(observation, answer, rows, whole, replay)
    const known = { observation, rows, replay, hasOwnWorld }
    return repair && explainRows(repair, this.#progress.history, known)
  }

  /** Writes without a response that took effect: several at once, and each alone. */
  *#lostWrites(
    at: number,
    answer: SimulatedAnswer,
  ): Generator<{ readonly first: Observation; readonly history: History }> {
    const { history } = this.#progress
    const observation = this.#observations[at] as Observation
    const rows = rowsOf(observation, this.#traffic.seen)
    const lost = this.#observations.slice(0, at).filter((write) => {
      const isOpen = canShow(observation, write) && !history.tookEffect.has(write.index)
      return isOpen && (isLostWrite(write) || rows?.createsWithoutRow.includes(write))
    })
    const took = (writes: readonly Observation[]) =>
      new Set([...history.tookEffect, ...writes.map(({ index }) => index)])
    const ofRows = lost.filter(({ params }) => {
      const isRow = ({ id }: { id: unknown }) => id === Number(params.id)
      return !isSameJson(observation.rows.find(isRow), answer.rows.find(isRow))
    })
    const [first] = ofRows
    if (first && ofRows.length > 1)
      yield { first, history: { ...history, tookEffect: took(ofRows) } }
    for (const write of lost.slice(-maxTried)) {
      const tookEffect = took([write])
      const row =
        write.verb === 'create' &&
        observation.rows.find(({ id }) => {
          const shown = rows?.shown.get(Number(id))
          return shown?.observation === observation && isLike(write.sent, shown.fields)
        })
      const made = row && rows?.shown.get(Number(row.id))
      if (made) {
        const start = new Map(history.start)
        start.delete(nameOf(made))
        const left = new Map(history.left).set(write.index, made)
        yield { first: write, history: { ...history, start, left, tookEffect } }
      }
      yield { first: write, history: { ...history, tookEffect } }
    }
  }

  /** Whether a write was lost, and the next response that can tell is as it would be anyway. */
  #isUndecided(at: number): boolean {
    const write = this.#observations[at] as Observation
    if (!isLostWrite(write) || this.#progress.history.tookEffect.has(write.index)) return false
    const later = this.#observations.slice(at + 1)
    const id = Number(write.params.id)
    const next = later.find((other) => {
      if (!isUsual(other) || !canShow(other, write)) return false
      const isOfRow = other.params.id === write.params.id || other.rows.some((row) => row.id === id)
      return write.verb === 'create' ? other.page?.count != null : isOfRow
    })
    const hidesIt = next?.method === 'PATCH' && isSameJson(next.params, write.params)
    return !next || hidesIt
  }

  /** @returns null if its world cannot be loaded, or is not known */
  async #open(): Promise<TrafficReplay | null> {
    const { clock, worldOf } = this.#traffic
    const world = worldOf(this.#progress.history)
    if (!world || (typeof world === 'string' && !isBuiltInWorld(world))) return null
    try {
      return await TrafficReplay.open(world as WorldJson, this.#settings, clock)
    } catch (error) {
      if (isUsageError(error)) return null
      throw error
    }
  }

  /** Makes the changes of others before a request, and sends it. */
  async #send(replay: TrafficReplay, at: number): Promise<SimulatedAnswer | null> {
    const { requests, seen, onSent, faultOf } = this.#traffic
    const { observation, step } = requests[at] as Requests[number]
    const { history, moments, differing, results } = this.#progress
    const { index, verb, rows: shown } = observation
    const moment = replay.mark()
    const changes = [...(this.#late.get(at) ?? []), ...(history.edits.get(index) ?? [])]
    for (const change of changes) await replay.change(change)
    const created = verb === 'create' ? (shown[0] ?? history.left.get(index)) : undefined
    const rows = rowsOf(observation, seen)
    if (rows && created) replay.nextId(rows.list, Number(created.id))
    const ready = replay.mark()
    if (step) await onSent?.()
    const answer = step && (await replay.send(step, faultOf(observation, history)))
    const result =
      rows && answer && (await settleWrite(observation, answer, rows, history, replay, ready))
    const others = [...results].filter(([write]) => write !== index)
    this.#progress = {
      history,
      moments: [...moments.slice(0, at), moment],
      differing: [...differing.slice(0, at), answer?.differing ?? 0],
      results: new Map([...others, ...(result ? [[index, result] as const] : [])]),
    }
    return answer
  }

  /** Sends requests again under another history, which counts if the last answer differs less, and no other one more. */
  async #try(replay: TrafficReplay, history: History, from: number, to: number): Promise<void> {
    const [before, moment] = [this.#progress, replay.mark()]
    replay.goBack(before.moments[from] as Checkpoint)
    this.#progress = { ...before, history }
    for (let at = from; at <= to; at += 1) {
      await this.#send(replay, at)
      const limit = (before.differing[at] ?? 0) + (at < to ? 1 : 0)
      if (this.#differs(at) < limit) continue
      this.#progress = before
      return replay.goBack(moment)
    }
  }
}
