import type { ChangeStep } from '../scenarios/format/scenario.ts'
import { isUnanswered, type Observation } from './observation.ts'
import { type Skew, startOf } from './order.ts'
import { type FirstShown, parentOf, type RowsSeen, type SeenLists } from './rows-seen.ts'

/** A row before the first request, with fields as responses show them. */
export type StartRow = Pick<FirstShown, 'list' | 'id' | 'fields' | 'parent'> & {
  /** Whether no response shows it */
  readonly isMadeUp?: boolean
  /** Whether a response showed that it was deleted */
  readonly isHidden?: boolean
}

/** What happened, as far as it is assumed. Rows are named, such as `annotations/9`, and requests by their index. */
export interface History {
  readonly start: ReadonlyMap<string, StartRow>
  /** What others did right before requests */
  readonly edits: ReadonlyMap<number, readonly ChangeStep[]>
  /** The writes that took effect, although their responses do not say so */
  readonly tookEffect: Set<number>
  /** The rows that creates without a row left, by the requests */
  readonly left: ReadonlyMap<number, FirstShown>
  /** What writes did by their own responses, and a simulator does otherwise: right after them */
  readonly results: Map<number, ChangeStep>
}

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
export function addEdits(
  history: History,
  { index }: Observation,
  { edits }: { readonly edits: readonly ChangeStep[] },
): History {
  const all = [...(history.edits.get(index) ?? []), ...edits]
  return { ...history, edits: new Map(history.edits).set(index, all) }
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
  for (const rows of Object.values(seen)) {
    const { observations } = rows
    const positions = new Map(observations.map((observation, at) => [observation, at]))
    const positionOf = (observation: Observation): number => positions.get(observation) ?? -1
    /** The ids of rows that creates made, by the positions of the creates */
    const creates = new Map(
      observations.flatMap(({ verb, rows: [row] }, at) =>
        verb === 'create' && row ? [[at, Number(row.id)] as const] : [],
      ),
    )
    const creatorOf = (
      after: number,
      before: number,
      isOf: (create: Observation) => boolean,
    ): Observation | undefined =>
      rows.createsWithoutRow.find((create) => {
        const at = positionOf(create)
        return !left.has(create.index) && at > after && at < before && isOf(create)
      })
    const [first] = observations
    const end = skew ? startOf(first, skew.most + clockTolerance) : Number.POSITIVE_INFINITY
    for (const row of [...rows.shown.values()].sort((a, b) => a.id - b.id)) {
      const at = positionOf(row.observation)
      const createdAt = Date.parse(String(row.fields.created_at))
      const { after, before } = placeOf(row.id, at, creates)
      const creator = creatorOf(after, before, (create) => {
        if (!isLike(create.sent, row.fields)) return false
        if (Number.isNaN(createdAt) || lacks(observations, create, row.id)) return true
        const { from, status } = create
        return skew === null ? status === 201 : createdAt >= from + skew.least - clockTolerance
      })
      const wasRead = observations.slice(0, at).some(({ page }) => page?.count != null)
      if (creator) {
        left.set(creator.index, row)
        creates.set(positionOf(creator), row.id)
      } else if (after >= 0 || (createdAt > end && wasRead)) {
        const { index } = observations[before] as Observation
        const added = { rows: { [row.list]: [rows.asNewRow(row.fields, row.parent)] } }
        edits.set(index, [...(edits.get(index) ?? []), added as ChangeStep])
      } else start.set(nameOf(row), row)
    }
    // A 404 says more than the 405, which any id gets.
    for (const [id, parent] of rows.undeleted) {
      const name = `${rows.list}/${id}`
      const isKnown = start.has(name) || rows.created.has(id) || rows.shown.has(id)
      if (isKnown || rows.missing.has(id)) continue
      start.set(name, { list: rows.list, id, fields: { id }, parent, isMadeUp: true })
    }
  }
  return { start, edits, tookEffect: new Set(left.keys()), left, results: new Map() }
}

/** Whether a whole list before a create did not show a row. */
function lacks(observations: readonly Observation[], create: Observation, id: number): boolean {
  return observations.slice(0, observations.indexOf(create)).some((read) => {
    const isWhole = read.page?.count === read.rows.length && read.page.search.length === 0
    const isOther = parentOf(read) !== parentOf(create)
    return isWhole && !isOther && read.rows.every((row) => row.id !== id)
  })
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
