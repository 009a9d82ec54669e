import type { ChangeStep } from '../format/scenario.ts'
import { isUnanswered, type Observation } from './observation.ts'
import { type Skew, startOf } from './order.ts'
import type { FirstShown, RowsSeen, WrittenList } from './rows-seen.ts'

/**
 * What may have happened besides the requests. Rows are named by their list and id, such as `annotations/9`, and requests
 * by the index of their exchange.
 */
export interface UnseenChanges {
  /** The writes that took effect, although their responses do not say so */
  readonly tookEffect: ReadonlySet<number>
  /** The rows that were added after the first request */
  readonly addedLater: ReadonlyMap<string, Addition>
  /** Whether rows were deleted before the first request, where it differs from what responses suggest */
  readonly deleted: ReadonlyMap<string, boolean>
  /** How many more rows lists had before the first request than their first pages count, by the names of the lists */
  readonly missingCounts: ReadonlyMap<string, number>
  /** How many rows others had removed in front of a page since the page before it. Less than 0 for rows that they added */
  readonly shifts: ReadonlyMap<number, number>
  /** What others changed before requests, besides adding rows that responses show */
  readonly edits: ReadonlyMap<number, readonly ChangeStep[]>
}

/** How a row came that was not there before the first request. */
interface Addition {
  /** The write that created it. Null for another client */
  readonly by: number | null
  /** The request before which another client added it */
  readonly before: number
}

export type SeenLists = { readonly [List in WrittenList]: RowsSeen }

/** What others did before each request, as steps. */
export function editsByRequest(
  { addedLater, edits }: Pick<UnseenChanges, 'addedLater' | 'edits'>,
  seen: SeenLists,
): ReadonlyMap<number, readonly ChangeStep[]> {
  const steps = new Map<number, readonly ChangeStep[]>()
  const add = (index: number, more: readonly ChangeStep[]): void => {
    steps.set(index, [...(steps.get(index) ?? []), ...more])
  }
  for (const [name, { by, before }] of addedLater) {
    const { list, row } = rowOf(name, seen)
    if (by === null && row) {
      add(before, [{ rows: { [list]: [seen[list].asNewRow(row.fields, row.parent)] } }])
    }
  }
  for (const [index, changes] of edits) add(index, changes)
  return steps
}

/** The rows of the list that a request is about. Null for another one */
export function rowsOf({ list }: Observation, seen: SeenLists): RowsSeen | null {
  return list === 'annotations' || list === 'plugins' ? seen[list] : null
}

/** Reads the name of a row. */
export function rowOf(
  name: string,
  seen: SeenLists,
): { readonly list: WrittenList; readonly row: FirstShown | undefined } {
  const [list, id] = name.split('/') as [WrittenList, string]
  return { list, row: seen[list].shown.get(Number(id)) }
}

/** Whether a request writes a row, and its response does not say whether it took effect. */
export function isLostWrite(observation: Observation): boolean {
  const { method, operation, list } = observation
  if (method === 'GET' || method === 'HEAD' || operation === 'deleteAnnotation') return false
  return (list === 'annotations' || list === 'plugins') && isUnanswered(observation)
}

/** Whether the response to a request can depend on an earlier write. */
export function canShow({ list, params: { id } }: Observation, write: Observation): boolean {
  if (list !== write.list) return false
  return id === undefined || id === write.params.id || write.verb === 'create'
}

/**
 * What is assumed at first: each row existed before the first request, but those that are younger, by their ids or by the
 * clock of the service. A create without a response took effect if it left one of these.
 *
 * @param skew null if no response has a time
 */
export function assumeAtFirst(seen: SeenLists, skew: Skew | null): UnseenChanges {
  const tookEffect = new Set<number>()
  const addedLater = new Map<string, Addition>()
  for (const rows of Object.values(seen)) {
    const creators = findCreators(rows, skew)
    const idsOfCreates = new Map(rows.idsOfCreates)
    for (const [id, creator] of creators) {
      tookEffect.add(creator.index)
      idsOfCreates.set(rows.observations.indexOf(creator), id)
    }
    const [first] = rows.observations
    const start = skew ? startOf(first, skew.most + clockTolerance) : Number.POSITIVE_INFINITY
    for (const row of rowsById(rows)) {
      const creator = creators.get(row.id)
      const { after, before } = spanOf(row, rows, idsOfCreates)
      const isYounger = Date.parse(String(row.fields.created_at)) > start && wasListed(row, rows)
      if (!creator && after === null && !isYounger) continue
      addedLater.set(nameOf(row), { by: creator?.index ?? null, before: before.index })
    }
    for (const [id, observation] of rows.unread) {
      const creator = creators.get(id)
      if (creator)
        addedLater.set(`${rows.list}/${id}`, { by: creator.index, before: observation.index })
    }
  }
  return {
    ...{ tookEffect, addedLater, deleted: new Map() },
    ...{ missingCounts: new Map(), shifts: new Map(), edits: new Map() },
  }
}

/** The creates without a row that left one, by the ids of the rows. */
function findCreators(rows: RowsSeen, skew: Skew | null): ReadonlyMap<number, Observation> {
  const creators = new Map<number, Observation>()
  const isFree = (create: Observation): boolean => ![...creators.values()].includes(create)
  for (const row of rowsById(rows)) {
    const { after, before } = spanOf(row, rows, rows.idsOfCreates)
    const createdAt = Date.parse(String(row.fields.created_at))
    const positionOf = (create: Observation): number => rows.observations.indexOf(create)
    const creator = creatorsOf(row, rows).find(
      (create) =>
        isFree(create) &&
        positionOf(create) > (after === null ? -1 : positionOf(after)) &&
        positionOf(create) < positionOf(before) &&
        (Number.isNaN(createdAt) || isNotBefore(createdAt, create, skew)),
    )
    if (creator) creators.set(row.id, creator)
  }
  for (const [id, observation] of rows.unread) {
    const creator = rows.createsWithoutRow.find(
      (create) =>
        create.status === 201 &&
        isFree(create) &&
        rows.observations.indexOf(create) < rows.observations.indexOf(observation),
    )
    if (creator && !rows.shown.has(id)) creators.set(id, creator)
  }
  return creators
}

/** Whether a time of the service can be that of a create. Without a clock, a create that succeeded can have any. */
function isNotBefore(time: number, { from, status }: Observation, skew: Skew | null): boolean {
  return skew === null ? status === 201 : time >= from + skew.least - clockTolerance
}

/**
 * Between which requests a row was added, if it was, by its id: ids are counted up.
 *
 * @param idsOfCreates the ids of rows that requests created, by the positions of the requests
 * @returns `after` is null for a row that may be older than all requests
 */
function spanOf(
  { id, observation }: FirstShown,
  { observations }: RowsSeen,
  idsOfCreates: ReadonlyMap<number, number>,
): { readonly after: Observation | null; readonly before: Observation } {
  const shownAt = observations.indexOf(observation)
  const creates = [...idsOfCreates].filter(([position]) => position <= shownAt)
  const after = creates.reduce((last, [at, other]) => (other < id ? Math.max(last, at) : last), -1)
  const before = creates.reduce(
    (first, [at, other]) => (other > id ? Math.min(first, at) : first),
    shownAt,
  )
  return {
    after: observations[after] ?? null,
    before: observations[before] as Observation,
  }
}

/** In milliseconds: how far the clocks of client and service can differ from the measured skew. */
const clockTolerance = 5_000

function rowsById({ shown }: RowsSeen): FirstShown[] {
  return [...shown.values()].sort((a, b) => a.id - b.id)
}

/** The name of a row, such as `annotations/9`. */
export function nameOf({ list, id }: FirstShown): string {
  return `${list}/${id}`
}

/** The creates whose rows are not known that may have left one: those that were sent before it was first shown. */
export function creatorsOf({ observation, fields }: FirstShown, rows: RowsSeen): Observation[] {
  const at = rows.observations.indexOf(observation)
  return rows.createsWithoutRow.filter(
    (lost) => rows.observations.indexOf(lost) < at && isLike(lost.sent, fields),
  )
}

/** Whether a page was read before a row was first shown. */
function wasListed({ observation }: FirstShown, { observations }: RowsSeen): boolean {
  const earlier = observations.slice(0, observations.indexOf(observation))
  return earlier.some(({ page }) => page?.count != null)
}

/** Whether a request can have created a row. */
export function isLike(sent: Observation['sent'], row: Readonly<Record<string, unknown>>): boolean {
  return ['content', 'name'].every(
    (name) =>
      typeof sent?.[name] !== 'string' ||
      row[name] === undefined ||
      sent[name].trim() === row[name],
  )
}
