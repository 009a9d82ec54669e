import { isSameJson } from '../../utils/json.ts'
import { listOf } from './filler-rows.ts'
import type { Observation, SeenRow } from './observation.ts'
import type { SimulatedAnswer } from './rehearsal.ts'
import type { FirstShown, RowsSeen } from './rows-seen.ts'
import {
  canShow,
  creatorsOf,
  isLike,
  isLostWrite,
  nameOf,
  rowOf,
  rowsOf,
  type Story,
} from './story.ts'
import type { Traffic, TrafficRequest } from './traffic.ts'

/** A story that may explain a response. */
interface OtherStory {
  readonly story: Story
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
export function otherStories(
  { requests, seen, hasOwnWorld }: Traffic,
  at: number,
  answer: SimulatedAnswer,
  story: Story,
  positions: ReadonlyMap<number, number>,
): OtherStory[] {
  const { observation } = requests[at] as TrafficRequest
  const rows = rowsOf(observation, seen)
  if (!rows) return []
  const shown = new Set(observation.rows.map(({ id }) => Number(id)))
  const simulated = answer.rows.map(({ id }) => Number(id))
  const extra = simulated.filter((id) => !shown.has(id))
  const lacking = [...shown].filter((id) => !simulated.includes(id))
  const stories = storiesOfWrites(requests.slice(0, at), observation, answer, rows, story, [
    ...lacking,
    ...extra,
  ])
  if (!hasOwnWorld) return stories
  const world = new WorldStories(rows, story, at, positions)
  const { page } = observation
  const lack = page && answer.count !== null ? (page.count ?? 0) - answer.count : 0
  if (lack !== 0) stories.push(...world.withOtherDeletions(lack))
  const late = world.unseen.filter(({ id }) => extra.includes(id) && !world.isOld(id))
  const hidden = world.unseen.filter(({ id }) => extra.includes(id) && world.isOld(id))
  if (hidden.length > 0) stories.push(world.withDeleted(hidden, true))
  if (late.length > 0) stories.push({ story: asAddedLater(late, rows, story), since: null })
  if (page && lack > 0) {
    const earlier = [...story.addedLater]
      .filter(([name, { by }]) => by === null && rowOf(name, seen).list === rows.list)
      .filter(([, { before }]) => (positions.get(before) ?? -1) > at)
      .slice(0, lack)
      .map(([name]) => [name, { by: null, before: observation.index }] as const)
    const addedLater = new Map([...story.addedLater, ...earlier])
    if (earlier.length > 0) stories.push({ story: { ...story, addedLater }, since: at })
  }
  if (page && lack < 0) {
    // The newest rows are those of which it is likeliest that they came later.
    const newest = world.unseen
      .filter(({ id }) => !world.isOld(id))
      .sort((a, b) => b.id - a.id)
      .slice(0, -lack)
    if (newest.length > 0) stories.push({ story: asAddedLater(newest, rows, story), since: null })
  }
  if (page && lack !== 0) {
    const name = listOf(observation, rows)
    const missingCounts = new Map(story.missingCounts)
    missingCounts.set(name, (missingCounts.get(name) ?? 0) + lack)
    stories.push({ story: { ...story, missingCounts }, since: null })
  }
  const id = Number(observation.params.id)
  const missing = world.unseen.filter((row) => observation.status === 404 && row.id === id)
  if (missing.length > 0) stories.push(world.withDeleted(missing, true))
  return stories
}

/** Stories of other rows before the first request. */
class WorldStories {
  readonly #story: Story
  /** The highest id that a request up to now showed or created: ids are counted up */
  readonly #highest: number
  /** The rows that were there before the first request, by the story, and that only later requests show */
  readonly unseen: readonly FirstShown[]

  constructor(rows: RowsSeen, story: Story, at: number, positions: ReadonlyMap<number, number>) {
    this.#story = story
    const isUntil = ({ index }: Observation): boolean => (positions.get(index) ?? -1) <= at
    const ids = rows.observations.filter(isUntil).flatMap((observation) => observation.rows)
    this.#highest = Math.max(0, ...ids.map(({ id }) => Number(id)))
    this.unseen = [...rows.shown.values()].filter(
      (row) => !isUntil(row.observation) && !story.addedLater.has(nameOf(row)),
    )
  }

  /** Whether a row cannot have been added by now, since a newer one was there. */
  isOld(id: number): boolean {
    return id < this.#highest
  }

  /** @param deleted whether rows were deleted before the first request */
  withDeleted(rows: readonly FirstShown[], deleted: boolean): OtherStory {
    const names = rows.map((row) => [nameOf(row), deleted] as const)
    const story = { ...this.#story, deleted: new Map([...this.#story.deleted, ...names]) }
    return { story, since: null }
  }

  /** Those in which rows were deleted or not, whose first request set whether they are. @param lack how many more rows there were */
  withOtherDeletions(lack: number): OtherStory[] {
    const isDeleted = (row: FirstShown): boolean =>
      this.#story.deleted.get(nameOf(row)) ?? row.fields.deleted === true
    const open = this.unseen.filter(
      (row) => row.unknown.has('deleted') && isDeleted(row) === lack > 0,
    )
    const count = Math.abs(lack)
    if (count === 1) return open.map((row) => this.withDeleted([row], lack < 0))
    return open.length < count ? [] : [this.withDeleted(open.slice(0, count), lack < 0)]
  }
}

/** The stories in which writes without a response took effect: several at once, and each alone. */
function storiesOfWrites(
  earlier: readonly TrafficRequest[],
  observation: Observation,
  answer: SimulatedAnswer,
  rows: RowsSeen,
  story: Story,
  differingIds: readonly number[],
): OtherStory[] {
  const stories: OtherStory[] = []
  const creates = new Set(rows.createsWithoutRow)
  const lost = earlier.flatMap(({ observation: write }, position) => {
    const isLost = isLostWrite(write) || creates.has(write)
    const isOpen = canShow(observation, write) && !story.tookEffect.has(write.index)
    return isLost && isOpen ? [{ write, position }] : []
  })
  // A list can show the results of several.
  const ofRows = lost.filter(({ write: { params } }) => {
    const isRow = ({ id }: SeenRow): boolean => id === Number(params.id)
    return !isSameJson(observation.rows.find(isRow), answer.rows.find(isRow))
  })
  if (ofRows.length > 1) {
    const indexes = ofRows.map(({ write }) => write.index)
    const tookEffect = new Set([...story.tookEffect, ...indexes])
    stories.push({ story: { ...story, tookEffect }, since: ofRows[0]?.position ?? null })
  }
  for (const { write, position } of lost) {
    const tookEffect = new Set([...story.tookEffect, write.index])
    const created = write.verb === 'create' ? differingIds.filter(isFreeRowLike(write)) : []
    for (const id of created) {
      const before = rows.shown.get(id)?.observation.index as number
      const addedLater = new Map(story.addedLater)
      addedLater.set(`${rows.list}/${id}`, { by: write.index, before })
      stories.push({ story: { ...story, tookEffect, addedLater }, since: null })
    }
    stories.push({ story: { ...story, tookEffect }, since: position })
  }
  return stories

  /** Whether a create can have left a row, and no other create did. */
  function isFreeRowLike(write: Observation): (id: number) => boolean {
    return (id) => {
      const row = rows.shown.get(id)
      const by = story.addedLater.get(`${rows.list}/${id}`)?.by ?? null
      return row !== undefined && by === null && isLike(write.sent, row.fields)
    }
  }
}

/** The story in which rows came after the first request: by creates without a response, or else by others. */
function asAddedLater(late: readonly FirstShown[], rows: RowsSeen, story: Story): Story {
  const tookEffect = new Set(story.tookEffect)
  const addedLater = new Map(story.addedLater)
  for (const row of late) {
    const creator = creatorsOf(row, rows).find(({ index }) => !tookEffect.has(index))
    if (creator) tookEffect.add(creator.index)
    addedLater.set(nameOf(row), { by: creator?.index ?? null, before: row.observation.index })
  }
  return { ...story, tookEffect, addedLater }
}
