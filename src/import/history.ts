import type { ChangeStep } from '../scenarios/format/scenario.ts'
import { isUnanswered, type Observation } from './observation.ts'
import { type Skew, startOf } from './order.ts'
import { type FirstShown, parentOf, type RowsSeen, type WrittenList } from './rows-seen.ts'

/** A row before the first request, with fields as responses show them. */
export type StartRow = Pick<FirstShown, 'list' | 'id' | 'fields' | 'parent'> & {
  /** Whether no response shows it */
  readonly isMadeUp?: boolean
}

/** What happened, as far as it is assumed. Rows are named, such as `annotations/9`, and requests by their index. */
export interface History {
  readonly start: ReadonlyMap<string, StartRow>
  /** What others did right before requests */
  readonly edits: ReadonlyMap<number, readonly ChangeStep[]>
  /** The writes that took effect, although their responses do not say so */
  readonly tookEffect: ReadonlySet<number>
  /** The rows that creates without a row left, by the requests */
  readonly left: ReadonlyMap<number, FirstShown>
  /** The rows that others added while the requests were sent */
  readonly late: ReadonlySet<string>
}

export type SeenLists = { readonly [List in WrittenList]: RowsSeen }

export function nameOf({ list, id }: Pick<StartRow, 'list' | 'id'>): string {
  return `${list}/${id}`
}

/** The rows of the list that a request is about. Null for another one */
export function rowsOf({ list }: Observation, seen: SeenLists): RowsSeen | null {
  return list === 'annotations' || list === 'plugins' ? seen[list] : null
}

/** Whether a request writes a row, and its response does not say whether it took effect. */
export function isLostWrite(observation: Observation): boolean {
  const { method, operation, list } = observation
  if (method === 'GET' || method === 'HEAD' || operation === 'deleteAnnotation') return false
  return (list === 'annotations' || list === 'plugins') && isUnanswered(observation)
}

/** The same history, but that others did more right before a request. */
export function withEdits(
  history: History,
  { index }: Observation,
  more: readonly ChangeStep[],
): History {
  const edits = new Map(history.edits).set(index, [...(history.edits.get(index) ?? []), ...more])
  return { ...history, edits }
}

/** The ids of rows that creates made, by the positions of the creates. */
function createdBy(rows: RowsSeen, left: History['left']): Map<number, number> {
  return new Map(
    rows.observations.flatMap(({ index, verb, rows: [row] }, position) => {
      const id = verb === 'create' ? (row ?? left.get(index))?.id : undefined
      return id === undefined ? [] : [[position, Number(id)] as const]
    }),
  )
}

/** Between which creates a row came that was there at a position: ids are counted up. `after` is -1 for one with a lower id than all. */
function placeOf(id: number, at: number, creates: ReadonlyMap<number, number>) {
  const positions = (isSide: (created: number) => boolean): number[] =>
    [...creates].flatMap(([position, created]) =>
      position <= at && isSide(created) ? position : [],
    )
  return {
    after: Math.max(-1, ...positions((created) => created < id)),
    before: Math.min(at, ...positions((created) => created > id)),
  }
}

/** The history in which others added rows, whose ids say before which creates, and at the latest right before a request. */
export function withNewRows(
  history: History,
  rows: RowsSeen,
  observation: Observation,
  added: readonly Readonly<Record<string, unknown>>[],
): History {
  const creates = createdBy(rows, history.left)
  const at = rows.observations.indexOf(observation)
  const byPosition = new Map<number, Readonly<Record<string, unknown>>[]>()
  for (const row of added) {
    const { after, before } = placeOf(Number(row.id), at, creates)
    const position = after < 0 ? at : before
    byPosition.set(position, [...(byPosition.get(position) ?? []), row])
  }
  return [...byPosition].reduce((all, [position, some]) => {
    const change = { rows: { [rows.list]: some } } as ChangeStep
    return withEdits(all, rows.observations[position] as Observation, [change])
  }, history)
}

/**
 * The position of the first request that another history changes: -1 if it is the same. Null if rows are other ones from the
 * start.
 *
 * @param requests in their order
 */
export function firstChange(
  before: History,
  after: History,
  requests: readonly Observation[],
): number | null {
  const isSame = (map: ReadonlyMap<unknown, unknown>, other: ReadonlyMap<unknown, unknown>) =>
    map === other ||
    (map.size === other.size && [...map].every(([at, row]) => other.get(at) === row))
  if (!isSame(before.start, after.start) || !isSame(before.left, after.left)) return null
  return requests.findIndex(
    ({ index }) =>
      before.edits.get(index) !== after.edits.get(index) ||
      before.tookEffect.has(index) !== after.tookEffect.has(index),
  )
}

/**
 * The next rows that others add come now: they are there before a page shows them. Null without such rows
 *
 * @param next this request, and those after it
 */
export function comingEarlier(
  history: History,
  [now, ...next]: readonly Observation[],
  count: number,
): History | null {
  const edits = new Map(history.edits)
  const moved: ChangeStep[] = []
  for (const { index } of next) {
    const later = edits.get(index) ?? []
    const staying = later.filter((change) => {
      const isRow = 'rows' in change && String(now?.list) in change.rows
      if (!isRow || moved.length >= count) return true
      moved.push(change)
      return false
    })
    if (staying.length < later.length) edits.set(index, staying)
  }
  return now && moved.length > 0 ? withEdits({ ...history, edits }, now, moved) : null
}

/** Whether the response to a request can depend on an earlier write. */
export function canShow({ list, params: { id } }: Observation, write: Observation): boolean {
  return (
    list === write.list && (id === undefined || id === write.params.id || write.verb === 'create')
  )
}

/** Whether a request can have created a row. */
export function isLike(sent: Observation['sent'], row: Readonly<Record<string, unknown>>): boolean {
  return ['content', 'name'].every((name) => {
    const text = sent?.[name]
    return typeof text !== 'string' || row[name] === undefined || text.trim() === row[name]
  })
}

/** In milliseconds: how far the clocks of client and service can differ from the measured skew. */
const clockTolerance = 5_000

/** What is assumed at first: each row was there from the start, but those that are younger by their id or their time. */
export function guessHistory(seen: SeenLists, skew: Skew | null): History {
  const start = new Map<string, StartRow>()
  const edits = new Map<number, readonly ChangeStep[]>()
  const left = new Map<number, FirstShown>()
  const late = new Set<string>()
  for (const rows of Object.values(seen)) {
    const creates = createdBy(rows, left)
    const positionOf = (observation: Observation) => rows.observations.indexOf(observation)
    const [first] = rows.observations
    const end = skew ? startOf(first, skew.most + clockTolerance) : Number.POSITIVE_INFINITY
    const shown = [...rows.shown.values()].sort((a, b) => a.id - b.id)
    for (const row of shown) {
      const at = positionOf(row.observation)
      const createdAt = Date.parse(String(row.fields.created_at))
      const { after, before } = placeOf(row.id, at, creates)
      const creator = rows.createsWithoutRow.find(
        (create) =>
          !left.has(create.index) &&
          positionOf(create) > after &&
          positionOf(create) < before &&
          isLike(create.sent, row.fields) &&
          (Number.isNaN(createdAt) ||
            (skew === null
              ? create.status === 201
              : createdAt >= create.from + skew.least - clockTolerance)),
      )
      const wasRead = rows.observations.slice(0, at).some(({ page }) => page?.count != null)
      if (creator) {
        left.set(creator.index, row)
        creates.set(positionOf(creator), row.id)
      } else if (after >= 0 || (createdAt > end && wasRead)) {
        const { index } = rows.observations[before] as Observation
        const added = {
          rows: { [row.list]: [rows.asNewRow(row.fields, row.parent)] },
        } as ChangeStep
        edits.set(index, [...(edits.get(index) ?? []), added])
        late.add(nameOf(row))
      } else start.set(nameOf(row), row)
    }
    for (const [id, observation] of [...rows.unread, ...rows.undeleted]) {
      const name = `${rows.list}/${id}`
      if (start.has(name) || rows.created.has(id) || rows.shown.has(id)) continue
      const parent = typeof observation === 'string' ? observation : parentOf(observation)
      const creator =
        typeof observation !== 'string' &&
        rows.createsWithoutRow.find(
          (create) =>
            create.status === 201 &&
            !left.has(create.index) &&
            positionOf(create) < positionOf(observation),
        )
      const row = { list: rows.list, id, fields: { id }, parent }
      if (creator) left.set(creator.index, { ...row, observation: creator, unknown: new Set() })
      else start.set(name, { ...row, isMadeUp: true })
    }
  }
  return { start, edits, tookEffect: new Set(left.keys()), left, late }
}
