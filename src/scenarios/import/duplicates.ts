import { isSameJson } from '../../utils/json.ts'
import type { Observation } from './observation.ts'
import type { SeenLists, UnseenChanges } from './unseen-changes.ts'

/**
 * Names rows that equal a row which a request created, and that no recorded request created. A browser sends a create
 * again by itself if the connection breaks, so the first response may be missing in the archive.
 */
export function describeDuplicates(
  observations: readonly Observation[],
  seen: SeenLists,
  { addedLater }: Pick<UnseenChanges, 'addedLater'>,
): string[] {
  return observations.flatMap(({ list, verb, status, rows: [created], sent }) => {
    const rows =
      verb === 'create' ? Object.values(seen).find((seenRows) => seenRows.list === list) : null
    if (!rows || !created || !sent || status !== 201) return []
    const fields = rows.entity.stored.filter(({ name, body }) => body && name in created)
    const duplicates = [...rows.shown.values()].filter(
      ({ id, fields: values }) =>
        addedLater.get(`${rows.list}/${id}`)?.by === null &&
        fields.every(({ name }) => JSON.stringify(values[name]) === JSON.stringify(created[name])),
    )
    return duplicates.map(
      ({ id }) =>
        `Row ${id} of ${rows.list} equals row ${created.id}, which the client created, and no request created it. Was the create sent twice, and its first response lost?`,
    )
  })
}

/**
 * Finds the creates that a client sent a second time before it had the response of the first: a button was pressed twice.
 * Three or more at once are rows that the client wanted.
 *
 * @returns the indexes of the first ones
 */
export function findDoubleCreates(observations: readonly Observation[]): ReadonlySet<number> {
  const creates = observations.filter(({ verb, status }) => verb === 'create' && status === 201)
  const indexes = creates.flatMap((first, at) => {
    const isAgain = (other: Observation): boolean =>
      other.key === first.key && other.list === first.list && isSameJson(other.sent, first.sent)
    const again = creates
      .slice(at + 1)
      .filter((other) => isAgain(other) && other.from < first.until)
    const isFirst = !creates
      .slice(0, at)
      .some((other) => isAgain(other) && first.from < other.until)
    return isFirst && again.length === 1 ? first.index : []
  })
  return new Set(indexes)
}
