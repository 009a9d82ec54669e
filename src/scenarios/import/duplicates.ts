import type { Observation } from './observation.ts'
import type { SeenLists, Story } from './story.ts'

/**
 * Names rows that equal a row which a request created, and that no recorded request created. A browser sends a create
 * again by itself if the connection breaks, so the first response may be missing in the archive.
 */
export function describeDuplicates(
  observations: readonly Observation[],
  seen: SeenLists,
  { addedLater }: Pick<Story, 'addedLater'>,
): string[] {
  return observations.flatMap(({ list, verb, status, rows: [created], sent }) => {
    const rows = verb === 'create' ? Object.values(seen).find((one) => one.list === list) : null
    if (!rows || !created || !sent || status !== 201) return []
    const fields = rows.entity.stored.filter(({ name, body }) => body && name in created)
    const duplicates = [...rows.shown.values()].filter(
      ({ id, fields: other }) =>
        addedLater.get(`${rows.list}/${id}`)?.by === null &&
        fields.every(({ name }) => JSON.stringify(other[name]) === JSON.stringify(created[name])),
    )
    return duplicates.map(
      ({ id }) =>
        `Row ${id} of ${rows.list} equals row ${created.id}, which the client created, and no request created it. Was the create sent twice, and its first response lost?`,
    )
  })
}
