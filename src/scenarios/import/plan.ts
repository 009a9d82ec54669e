import type { ChangeStep } from '../format/scenario.ts'
import { type Skew, startOf } from './order.ts'
import type { FirstShown, RowsSeen, WrittenList } from './rows-seen.ts'
import { isUnanswered, type Sighting } from './sighting.ts'

/**
 * What may have happened besides the requests. Rows are named by their list and id, such as `annotations/9`, and requests
 * by the index of their exchange.
 */
export interface Plan {
  /** The writes that were carried out, although their responses do not say so */
  readonly carriedOut: ReadonlySet<number>
  /** The rows that were added after the first request, and the writes that created them. Null for another client */
  readonly late: ReadonlyMap<string, number | null>
  /** The rows that were deleted before the first request */
  readonly deleted: ReadonlySet<string>
  /** How many more rows lists had before the first request than their first pages count, by the names of the lists */
  readonly more: ReadonlyMap<string, number>
  /** What others changed before requests, besides adding late rows */
  readonly edits: ReadonlyMap<number, readonly ChangeStep[]>
}

export type SeenLists = { readonly [List in WrittenList]: RowsSeen }

/** What others did before a request: the late rows that it was the first to show, and other changes. */
export function editsBefore(
  plan: Pick<Plan, 'late' | 'edits'>,
  { index }: Sighting,
  seen: SeenLists,
): ChangeStep[] {
  const added = [...plan.late].flatMap(([name, by]): ChangeStep[] => {
    const [list, id] = name.split('/') as [WrittenList, string]
    const row = seen[list].shown.get(Number(id))
    if (by !== null || row?.sighting.index !== index) return []
    return [{ rows: { [list]: [seen[list].asNewRow(row.fields, row.parent)] } }]
  })
  return [...added, ...(plan.edits.get(index) ?? [])]
}

/** Whether a request writes a row, and its response does not say whether it was carried out. */
export function isLostWrite(sighting: Sighting): boolean {
  const { method, operation } = sighting
  if (method === 'GET' || method === 'HEAD' || operation === 'deleteAnnotation') return false
  return /Annotation|Plugin/.test(operation ?? '') && isUnanswered(sighting)
}

/**
 * What is assumed at first: each row existed before the first request, but those that are younger, by the clock of the
 * service. A create without a response was carried out if it left one of these.
 *
 * @param skew null if no response has a time
 */
export function firstPlan(seen: SeenLists, skew: Skew | null): Plan {
  const carriedOut = new Set<number>()
  const late = new Map<string, number | null>()
  for (const rows of Object.values(seen)) {
    const [first] = rows.sightings
    const start = skew ? startOf(first, skew.most + clockTolerance) : Number.POSITIVE_INFINITY
    for (const row of rowsById(rows)) {
      const createdAt = Date.parse(String(row.fields.created_at))
      const creator = creatorsOf(row, rows).find(
        (lost) =>
          !carriedOut.has(lost.index) &&
          (Number.isNaN(createdAt) ||
            (skew !== null && createdAt >= lost.from + skew.least - clockTolerance)),
      )
      if (creator) carriedOut.add(creator.index)
      else if (!(createdAt > start && wasListed(row, rows))) continue
      late.set(nameOf(row), creator?.index ?? null)
    }
    for (const [id, sighting] of rows.unread) {
      const creator = rows.createsWithoutRow.find(
        (each) =>
          each.status === 201 &&
          !carriedOut.has(each.index) &&
          rows.sightings.indexOf(each) < rows.sightings.indexOf(sighting),
      )
      if (!creator || rows.shown.has(id)) continue
      carriedOut.add(creator.index)
      late.set(`${rows.list}/${id}`, creator.index)
    }
  }
  return { carriedOut, late, deleted: new Set(), more: new Map(), edits: new Map() }
}

/** In milliseconds: how far the clocks of client and service can differ from the measured skew. */
const clockTolerance = 5_000

function rowsById({ shown }: RowsSeen): FirstShown[] {
  return [...shown.values()].sort((a, b) => a.id - b.id)
}

/** The name of a row in a plan. */
export function nameOf({ list, id }: FirstShown): string {
  return `${list}/${id}`
}

/** The creates whose rows are not known that may have left one: those that were sent before it was first shown. */
export function creatorsOf({ sighting, fields }: FirstShown, rows: RowsSeen): Sighting[] {
  const at = rows.sightings.indexOf(sighting)
  return rows.createsWithoutRow.filter(
    (lost) => rows.sightings.indexOf(lost) < at && isLike(lost.sent, fields),
  )
}

/** Whether a page was read before a row was first shown. */
function wasListed({ sighting }: FirstShown, { sightings }: RowsSeen): boolean {
  const earlier = sightings.slice(0, sightings.indexOf(sighting))
  return earlier.some(({ list }) => list?.count != null)
}

/** Whether a request can have created a row. */
export function isLike(sent: Sighting['sent'], row: Readonly<Record<string, unknown>>): boolean {
  return ['content', 'name'].every(
    (name) => typeof sent?.[name] !== 'string' || sent[name].trim() === row[name],
  )
}
