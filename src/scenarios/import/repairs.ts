import { profiles, resolveSettings } from '../../settings/resolve.ts'
import type { SettingValues } from '../../settings/setting.ts'
import { isUsageError } from '../../utils/errors.ts'
import { isObject, isSameJson } from '../../utils/json.ts'
import type { ClockSetting } from '../../world/clock/clock.ts'
import { isBuiltInWorld } from '../../world/load/built-in-worlds.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { ChangeStep, RequestStep } from '../format/scenario.ts'
import { listOf } from './filler-rows.ts'
import type { Skew } from './order.ts'
import {
  creatorsOf,
  editsBefore,
  firstPlan,
  isLike,
  isLostWrite,
  nameOf,
  type Plan,
  type SeenLists,
} from './plan.ts'
import { type FirstShown, parentOf, type RowsSeen, type WrittenList } from './rows-seen.ts'
import { isUsual, type SeenRow, type Sighting } from './sighting.ts'
import { type Answer, TrafficReplay } from './traffic-replay.ts'

/** A recorded request, and what a replay does with it. */
export interface Sent {
  readonly sighting: Sighting
  /** Null if no step can send it */
  readonly step: RequestStep | null
}

/** Requests, and what may be tried to explain their responses. */
export interface Traffic {
  readonly requests: readonly Sent[]
  readonly seen: SeenLists
  readonly skew: Skew | null
  /** The world before the first request: rows, or the name of a fixture. Null if it is not known */
  worldOf(plan: Plan): WorldJson | string | null | undefined
  /** The fault that a request meets */
  faultOf(sighting: Sighting, plan: Plan): ChangeStep | null
  /** Whether the rows before the first request follow from the responses */
  readonly hasOwnWorld: boolean
  readonly clock: ClockSetting | undefined
  /** By default those of the profile that explains more responses */
  readonly settings?: SettingValues
  /** Whether to add what others may have changed if the service has the settings of another profile */
  readonly doubtsSettings: boolean
}

/** What happened, and the writes of which nothing proves whether they were carried out. */
interface Explained {
  readonly plan: Plan
  readonly undecided: readonly Sighting[]
}

/** How many requests decide the profile. */
const decidingRequests = 500

/** Finds what happened besides the requests. */
export async function explainTraffic(traffic: Traffic): Promise<Explained> {
  const first = firstPlan(traffic.seen, traffic.skew)
  const candidates = traffic.settings
    ? [traffic.settings]
    : profiles.map((name) => resolveSettings(name))
  const tried: { readonly repairs: Repairs; readonly count: number }[] = []
  for (const settings of candidates) {
    const repairs = new Repairs(traffic, settings)
    const count = candidates.length > 1 ? await repairs.count(first, decidingRequests) : 0
    tried.push({ repairs, count })
  }
  const [best, ...others] = tried
    .sort((a, b) => a.count - b.count)
    .map(({ repairs }) => repairs) as [Repairs, ...Repairs[]]
  const plan = await best.find(first)
  const undecided = await best.undecided(plan)
  if (!traffic.doubtsSettings) return { plan, undecided }
  const possible = await Promise.all(others.map((repairs) => repairs.explainingEdits(first)))
  return { plan: { ...plan, edits: new Map([...possible.flat(), ...plan.edits]) }, undecided }
}

/** How many requests are replayed at most to try what may have happened. */
const maxPlayed = 30_000

/**
 * Finds what happened besides the requests, by trial: replays them, and where a response differs, tries what may be the
 * cause. A cause counts if it explains the response, and no more of the earlier ones differ.
 */
class Repairs {
  readonly #traffic: Traffic
  readonly #settings: SettingValues
  /** The requests that no cause explains */
  readonly #unexplained = new Set<Sighting>()
  #played = 0

  constructor(traffic: Traffic, settings: SettingValues) {
    this.#traffic = traffic
    this.#settings = settings
  }

  async find(first: Plan): Promise<Plan> {
    for (let plan = first; ; ) {
      const { plan: next, isDone } = await this.#pass(plan)
      if (isDone) return next
      plan = next
    }
  }

  /** What others may have changed before requests that nothing else explains. */
  async explainingEdits(first: Plan): Promise<(readonly [number, readonly ChangeStep[]])[]> {
    const { edits } = await this.find(first)
    const unexplained = new Set([...this.#unexplained].map(({ index }) => index))
    return [...edits].filter(([index]) => !unexplained.has(index))
  }

  /** The writes of which nothing proves whether they were carried out. */
  async undecided(plan: Plan): Promise<Sighting[]> {
    const { requests } = this.#traffic
    const lost = requests.filter(({ sighting }) => isLostWrite(sighting))
    const open = lost.filter(({ sighting }) => !plan.carriedOut.has(sighting.index))
    if (open.length === 0) return []
    const least = await this.count(plan, requests.length)
    const undecided: Sighting[] = []
    for (const { sighting } of open) {
      if (this.#played > maxPlayed) undecided.push(sighting)
      const other = { ...plan, carriedOut: new Set([...plan.carriedOut, sighting.index]) }
      if ((await this.count(other, requests.length)) <= least) undecided.push(sighting)
    }
    return undecided
  }

  /** Replays the requests until something else may be the cause of a difference. */
  async #pass(plan: Plan): Promise<{ readonly plan: Plan; readonly isDone: boolean }> {
    const { requests, seen } = this.#traffic
    const replay = await this.#open(plan)
    if (!replay) return { plan, isDone: true }
    const edits = new Map(plan.edits)
    let differing = 0
    for (const [at, { sighting, step }] of requests.entries()) {
      for (const change of editsBefore({ ...plan, edits }, sighting, seen)) {
        await replay.change(change)
      }
      const restore = replay.save()
      const answer = step && (await this.#send(replay, sighting, step, plan))
      if (!step || !answer || answer.differing === 0) continue
      if (!isUsual(sighting) || this.#unexplained.has(sighting)) {
        differing += 1
        continue
      }
      const current = { ...plan, edits: new Map(edits) }
      for (const other of this.#otherPlans(at, answer, current)) {
        if (this.#played > maxPlayed) break
        const { count, last } = await this.#judge(other, at + 1)
        if (last === 0 && count <= differing) return { plan: other, isDone: false }
      }
      const changes = changesFor(sighting, answer, seen, replay)
      restore()
      for (const change of changes) await replay.change(change)
      const again = await this.#send(replay, sighting, step, plan)
      if (again.differing < answer.differing) {
        edits.set(sighting.index, [...(edits.get(sighting.index) ?? []), ...changes])
      } else if (changes.length > 0) {
        restore()
        await this.#send(replay, sighting, step, plan)
      }
      if (again.differing === 0) continue
      differing += 1
      this.#unexplained.add(sighting)
    }
    return { plan: { ...plan, edits }, isDone: true }
  }

  async #open(plan: Plan): Promise<TrafficReplay | null> {
    const world = this.#traffic.worldOf(plan)
    if (!world || (typeof world === 'string' && !isBuiltInWorld(world))) return null
    try {
      return await TrafficReplay.open(world as WorldJson, this.#settings, this.#traffic.clock)
    } catch (error) {
      if (isUsageError(error)) return null
      throw error
    }
  }

  async #send(
    replay: TrafficReplay,
    sighting: Sighting,
    step: RequestStep,
    plan: Plan,
  ): Promise<Answer> {
    const fault = this.#traffic.faultOf(sighting, plan)
    if (fault) await replay.change(fault)
    this.#played += 1
    return replay.send(step)
  }

  /** How many of the first requests get another response. */
  async count(plan: Plan, length: number): Promise<number> {
    return (await this.#judge(plan, length)).count
  }

  /** @returns also in how many places the last response differs */
  async #judge(plan: Plan, length: number): Promise<{ count: number; last: number }> {
    const { requests, seen } = this.#traffic
    const replay = await this.#open(plan)
    const result = { count: 0, last: 0 }
    if (!replay) return { count: Number.POSITIVE_INFINITY, last: Number.POSITIVE_INFINITY }
    for (const { sighting, step } of requests.slice(0, length)) {
      for (const change of editsBefore(plan, sighting, seen)) await replay.change(change)
      const answer = step && (await this.#send(replay, sighting, step, plan))
      result.last = answer?.differing ?? 0
      if (result.last > 0) result.count += 1
    }
    return result
  }

  /** What may have happened before a request whose response differs. */
  #otherPlans(at: number, answer: Answer, plan: Plan): Plan[] {
    const { requests, seen, hasOwnWorld } = this.#traffic
    const { sighting } = requests[at] as Sent
    const rows = rowsOf(sighting, seen)
    if (!rows) return []
    const shown = new Set(sighting.rows.map(({ id }) => Number(id)))
    const [extra, lacking] = [
      answer.rows.filter(({ id }) => !shown.has(Number(id))).map(({ id }) => Number(id)),
      [...shown].filter((id) => !answer.rows.some((row) => row.id === id)),
    ]
    const plans: Plan[] = []
    const lost = requests.slice(0, at).filter(isLostWriteOf(rows, plan))
    // A list can show the results of several.
    const ofRows = lost.filter(({ sighting: { params } }) => {
      const isRow = ({ id }: SeenRow): boolean => id === Number(params.id)
      return !isSameJson(sighting.rows.find(isRow), answer.rows.find(isRow))
    })
    if (ofRows.length > 1) {
      const indexes = ofRows.map(({ sighting: { index } }) => index)
      plans.push({ ...plan, carriedOut: new Set([...plan.carriedOut, ...indexes]) })
    }
    for (const { sighting: write } of lost) {
      const carriedOut = new Set([...plan.carriedOut, write.index])
      if (!write.operation?.startsWith('create')) plans.push({ ...plan, carriedOut })
      else plans.push(...this.#asCreated(write, [...lacking, ...extra], rows, plan))
    }
    if (!hasOwnWorld) return plans
    const isLater = (row: FirstShown | undefined): row is FirstShown =>
      row !== undefined && requests.findIndex(({ sighting: one }) => one === row.sighting) > at
    const late = extra.flatMap((id) => {
      const row = rows.shown.get(id)
      return isLater(row) && !plan.late.has(nameOf(row)) ? [row] : []
    })
    if (late.length > 0) plans.push(asLate(late, rows, plan))
    const lack = (sighting.list?.count ?? 0) - (answer.count ?? 0)
    if (sighting.list && answer.count !== null && lack !== 0) {
      const name = listOf(sighting, rows)
      const more = new Map(plan.more).set(name, (plan.more.get(name) ?? 0) + lack)
      plans.push({ ...plan, more })
    }
    const id = Number(sighting.params.id)
    if (sighting.status === 404 && isLater(rows.shown.get(id)) && rows.list === 'annotations') {
      plans.push({ ...plan, deleted: new Set([...plan.deleted, `annotations/${id}`]) })
    }
    return plans
  }

  /** The plans in which a create without a response left one of the rows, or one that no response shows. */
  #asCreated(write: Sighting, ids: readonly number[], rows: RowsSeen, plan: Plan): Plan[] {
    const carriedOut = new Set([...plan.carriedOut, write.index])
    const found = ids.filter((id) => {
      const row = rows.shown.get(id)
      const by = plan.late.get(`${rows.list}/${id}`)
      return row && (by === undefined || by === null) && isLike(write.sent, row.fields)
    })
    const left = found.map((id) => {
      const late = new Map(plan.late).set(`${rows.list}/${id}`, write.index)
      return { ...plan, carriedOut, late }
    })
    return [...left, { ...plan, carriedOut }]
  }
}

/** The plan in which rows were added after the first request: by creates without a response, or else by others. */
function asLate(late: readonly FirstShown[], rows: RowsSeen, plan: Plan): Plan {
  const carriedOut = new Set(plan.carriedOut)
  const created = new Map(plan.late)
  for (const row of late) {
    const creator = creatorsOf(row, rows).find(({ index }) => !carriedOut.has(index))
    if (creator) carriedOut.add(creator.index)
    created.set(nameOf(row), creator?.index ?? null)
  }
  return { ...plan, carriedOut, late: created }
}

function rowsOf({ operation }: Sighting, seen: SeenLists): RowsSeen | null {
  if (operation?.includes('Annotation')) return seen.annotations
  return operation?.includes('Plugin') ? seen.plugins : null
}

function isLostWriteOf(rows: RowsSeen, { carriedOut }: Plan): (sent: Sent) => boolean {
  const creates = new Set(rows.createsWithoutRow)
  return ({ sighting }) =>
    (isLostWrite(sighting) || creates.has(sighting)) &&
    sighting.operation?.includes(rows.name) === true &&
    !carriedOut.has(sighting.index)
}

/** What others may have changed before a request, so that its response is the recorded one. */
function changesFor(
  sighting: Sighting,
  answer: Answer,
  seen: SeenLists,
  replay: TrafficReplay,
): ChangeStep[] {
  const { status, sent, method, params, key } = sighting
  if (status === 401 && answer.status !== 401 && key !== null) return [{ revoke: key }]
  const rows = rowsOf(sighting, seen)
  if (!rows) return []
  const { list } = rows
  const id = Number(params.id)
  if (status === 404) return answer.status < 300 && id > 0 ? [removal(list, [id])] : []
  if (status !== 200) return []
  const isChange = method !== 'GET'
  const own = isChange ? (sent ?? {}) : {}
  const added: object[] = []
  const updated: object[] = []
  for (const row of sighting.rows) {
    const simulated = answer.rows.find((each) => each.id === row.id)
    const rowId = Number(row.id)
    if (!simulated && !replay.hasRow(list, rowId)) {
      if (rowId > 0) added.push(rows.asNewRow(row, parentOf(sighting)))
      continue
    }
    const changed = changedFields(rows, row, simulated, own)
    if (Object.keys(changed).length > 0) updated.push({ id: rowId, ...changed })
  }
  const isWhole =
    sighting.list !== null &&
    sighting.list.count === sighting.rows.length &&
    sighting.list.offset === 0 &&
    sighting.list.search.length === 0
  const shown = new Set(sighting.rows.map((row) => row.id))
  const gone = isWhole ? answer.rows.filter((row) => !shown.has(row.id)) : []
  return [
    ...(added.length > 0 ? [{ rows: { [list]: added } } as ChangeStep] : []),
    ...(updated.length > 0 ? [{ update: { [list]: updated } } as ChangeStep] : []),
    ...(gone.length > 0
      ? [
          removal(
            list,
            gone.map((row) => Number(row.id)),
          ),
        ]
      : []),
  ]
}

function removal(list: WrittenList, ids: readonly number[]): ChangeStep {
  return list === 'plugins'
    ? { delete: { plugins: ids } }
    : { update: { annotations: ids.map((id) => ({ id, deleted: true })) } }
}

/** The writable fields of a row that a simulator shows otherwise, or not at all, but for those of the request. */
function changedFields(
  { entity, list }: RowsSeen,
  row: SeenRow,
  simulated: SeenRow | undefined,
  own: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const changed = entity.stored.filter(
    ({ name, writable }) =>
      writable && name in row && !(name in own) && !isSameJson(simulated?.[name], row[name]),
  )
  const fields = changed.map(({ name, kind }) => {
    const value = row[name]
    return [name, kind === 'reference' && isObject(value) ? value.id : value]
  })
  const isHidden = simulated === undefined && list === 'annotations' && !('deleted' in row)
  return { ...Object.fromEntries(fields), ...(isHidden && { deleted: false }) }
}
