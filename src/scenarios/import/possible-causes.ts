import { isSameJson } from '../../utils/json.ts'
import { listOf } from './filler-rows.ts'
import type { Observation, SeenRow } from './observation.ts'
import type { FirstShown, RowsSeen } from './rows-seen.ts'
import type { Traffic, TrafficRequest } from './traffic.ts'
import type { SimulatedAnswer } from './traffic-replay.ts'
import {
  canShow,
  creatorsOf,
  isLike,
  isLostWrite,
  nameOf,
  rowOf,
  rowsOf,
  type UnseenChanges,
} from './unseen-changes.ts'

/** Changes that may explain a response. */
interface PossibleCause {
  readonly unseen: UnseenChanges
  /** The position of the first request that it changes. Null if it changes the world before the first request */
  readonly since: number | null
}

/**
 * What may have happened before a request whose response differs: lost writes took effect, rows came later or earlier
 * than assumed, lists had further rows.
 *
 * @param at the position of the request
 * @param positions those of all requests, by the indexes of their exchanges
 */
export function possibleCauses(
  { requests, seen, hasOwnWorld }: Traffic,
  at: number,
  answer: SimulatedAnswer,
  unseen: UnseenChanges,
  positions: ReadonlyMap<number, number>,
): PossibleCause[] {
  const { observation } = requests[at] as TrafficRequest
  const rows = rowsOf(observation, seen)
  if (!rows) return []
  const shown = new Set(observation.rows.map(({ id }) => Number(id)))
  const simulated = answer.rows.map(({ id }) => Number(id))
  const extra = simulated.filter((id) => !shown.has(id))
  const lacking = [...shown].filter((id) => !simulated.includes(id))
  const causes = causesOfWrites(requests.slice(0, at), observation, answer, rows, unseen, [
    ...lacking,
    ...extra,
  ])
  if (!hasOwnWorld) return causes
  const world = new WorldCauses(rows, unseen, at, positions)
  const { page } = observation
  const lack = page && answer.count !== null ? (page.count ?? 0) - answer.count : 0
  if (lack !== 0) causes.push(...world.withOtherDeletions(lack))
  const late = world.shownLater.filter(({ id }) => extra.includes(id) && !world.isOld(id))
  const hidden = world.shownLater.filter(({ id }) => extra.includes(id) && world.isOld(id))
  if (hidden.length > 0) causes.push(world.withDeleted(hidden, true))
  if (late.length > 0) causes.push({ unseen: asAddedLater(late, rows, unseen), since: null })
  if (page && lack > 0) {
    const earlier = [...unseen.addedLater]
      .filter(([name, { by }]) => by === null && rowOf(name, seen).list === rows.list)
      .filter(([, { before }]) => (positions.get(before) ?? -1) > at)
      .slice(0, lack)
      .map(([name]) => [name, { by: null, before: observation.index }] as const)
    const addedLater = new Map([...unseen.addedLater, ...earlier])
    if (earlier.length > 0) causes.push({ unseen: { ...unseen, addedLater }, since: at })
  }
  if (page && lack < 0) {
    // The newest rows are those of which it is likeliest that they came later.
    const newest = world.shownLater
      .filter(({ id }) => !world.isOld(id))
      .sort((a, b) => b.id - a.id)
      .slice(0, -lack)
    if (newest.length > 0) causes.push({ unseen: asAddedLater(newest, rows, unseen), since: null })
  }
  if (page && lack !== 0) {
    const name = listOf(observation, rows)
    const missingCounts = new Map(unseen.missingCounts)
    missingCounts.set(name, (missingCounts.get(name) ?? 0) + lack)
    causes.push({ unseen: { ...unseen, missingCounts }, since: null })
  }
  const id = Number(observation.params.id)
  const missing = world.shownLater.filter((row) => observation.status === 404 && row.id === id)
  if (missing.length > 0) causes.push(world.withDeleted(missing, true))
  return causes
}

/** Causes before the first request: other rows. */
class WorldCauses {
  readonly #unseen: UnseenChanges
  /** The highest id that a request up to now showed or created: ids are counted up */
  readonly #highest: number
  /** The rows that were there before the first request, as far as is known, and that only later requests show */
  readonly shownLater: readonly FirstShown[]

  constructor(
    rows: RowsSeen,
    unseen: UnseenChanges,
    at: number,
    positions: ReadonlyMap<number, number>,
  ) {
    this.#unseen = unseen
    const isUntil = ({ index }: Observation): boolean => (positions.get(index) ?? -1) <= at
    const ids = rows.observations.filter(isUntil).flatMap((observation) => observation.rows)
    this.#highest = Math.max(0, ...ids.map(({ id }) => Number(id)))
    this.shownLater = [...rows.shown.values()].filter(
      (row) => !isUntil(row.observation) && !unseen.addedLater.has(nameOf(row)),
    )
  }

  /** Whether a row cannot have been added by now, since a newer one was there. */
  isOld(id: number): boolean {
    return id < this.#highest
  }

  /** @param deleted whether rows were deleted before the first request */
  withDeleted(rows: readonly FirstShown[], deleted: boolean): PossibleCause {
    const names = rows.map((row) => [nameOf(row), deleted] as const)
    const unseen = { ...this.#unseen, deleted: new Map([...this.#unseen.deleted, ...names]) }
    return { unseen, since: null }
  }

  /** Those in which rows were deleted or not, whose first request set whether they are. @param lack how many more rows there were */
  withOtherDeletions(lack: number): PossibleCause[] {
    const isDeleted = (row: FirstShown): boolean =>
      this.#unseen.deleted.get(nameOf(row)) ?? row.fields.deleted === true
    const open = this.shownLater.filter(
      (row) => row.unknown.has('deleted') && isDeleted(row) === lack > 0,
    )
    const count = Math.abs(lack)
    if (count === 1) return open.map((row) => this.withDeleted([row], lack < 0))
    return open.length < count ? [] : [this.withDeleted(open.slice(0, count), lack < 0)]
  }
}

/** Writes without a response took effect: several at once, and each alone. */
function causesOfWrites(
  earlier: readonly TrafficRequest[],
  observation: Observation,
  answer: SimulatedAnswer,
  rows: RowsSeen,
  unseen: UnseenChanges,
  differingIds: readonly number[],
): PossibleCause[] {
  const causes: PossibleCause[] = []
  const creates = new Set(rows.createsWithoutRow)
  const lost = earlier.flatMap(({ observation: write }, position) => {
    const isLost = isLostWrite(write) || creates.has(write)
    const isOpen = canShow(observation, write) && !unseen.tookEffect.has(write.index)
    return isLost && isOpen ? [{ write, position }] : []
  })
  // A list can show the results of several.
  const ofRows = lost.filter(({ write: { params } }) => {
    const isRow = ({ id }: SeenRow): boolean => id === Number(params.id)
    return !isSameJson(observation.rows.find(isRow), answer.rows.find(isRow))
  })
  if (ofRows.length > 1) {
    const indexes = ofRows.map(({ write }) => write.index)
    const tookEffect = new Set([...unseen.tookEffect, ...indexes])
    causes.push({ unseen: { ...unseen, tookEffect }, since: ofRows[0]?.position ?? null })
  }
  for (const { write, position } of lost) {
    const tookEffect = new Set([...unseen.tookEffect, write.index])
    const created = write.verb === 'create' ? differingIds.filter(isFreeRowLike(write)) : []
    for (const id of created) {
      const before = rows.shown.get(id)?.observation.index as number
      const addedLater = new Map(unseen.addedLater)
      addedLater.set(`${rows.list}/${id}`, { by: write.index, before })
      causes.push({ unseen: { ...unseen, tookEffect, addedLater }, since: null })
    }
    causes.push({ unseen: { ...unseen, tookEffect }, since: position })
  }
  return causes

  /** Whether a create can have left a row, and no other create did. */
  function isFreeRowLike(write: Observation): (id: number) => boolean {
    return (id) => {
      const row = rows.shown.get(id)
      const by = unseen.addedLater.get(`${rows.list}/${id}`)?.by ?? null
      return row !== undefined && by === null && isLike(write.sent, row.fields)
    }
  }
}

/** Rows came after the first request: by creates without a response, or else by others. */
function asAddedLater(
  late: readonly FirstShown[],
  rows: RowsSeen,
  unseen: UnseenChanges,
): UnseenChanges {
  const tookEffect = new Set(unseen.tookEffect)
  const addedLater = new Map(unseen.addedLater)
  for (const row of late) {
    const creator = creatorsOf(row, rows).find(({ index }) => !tookEffect.has(index))
    if (creator) tookEffect.add(creator.index)
    addedLater.set(nameOf(row), { by: creator?.index ?? null, before: row.observation.index })
  }
  return { ...unseen, tookEffect, addedLater }
}
