import type { Plan, SeenLists } from './plan.ts'
import type { Sighting } from './sighting.ts'

/**
 * Names rows that equal a row which a request created, and that no recorded request created. A browser sends a create
 * again by itself if the connection breaks, so the first response may be missing in the archive.
 */
export function describeTwins(
  sightings: readonly Sighting[],
  seen: SeenLists,
  { late }: Pick<Plan, 'late'>,
): string[] {
  return sightings.flatMap(({ operation, status, rows: [created], sent }) => {
    const rows = Object.values(seen).find(({ name }) => operation === `create${name}`)
    if (!rows || !created || !sent || status !== 201) return []
    const fields = rows.entity.stored.filter(({ name, writable }) => writable && name in created)
    const twins = [...rows.shown.values()].filter(
      ({ id, fields: other }) =>
        late.get(`${rows.list}/${id}`) === null &&
        fields.every(({ name }) => JSON.stringify(other[name]) === JSON.stringify(created[name])),
    )
    return twins.map(
      ({ id }) =>
        `Row ${id} of ${rows.list} equals row ${created.id}, which the client created, and no request created it. Was the create sent twice, and its first response lost?`,
    )
  })
}
