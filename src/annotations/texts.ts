import type { PolicySettings } from '../policies/policies.ts'
import { toWire, Wire } from '../wire.ts'
import type { AnnotationRow, UserRow } from '../world/rows.ts'
import type { Entry } from '../world/table.ts'
import type { Tables } from '../world/tables.ts'
import type { Annotation, CreatedBy } from './annotation.ts'

/** Fields that the service added in July 2024 (observed, Era). */
const laterFields = ',"dashboard_id":null,"dashboard_name":null,"insight_derived_name":null}'

/**
 * An annotation as it is sent. Its text is kept on the entry, until the row or what it shows of other rows
 * changes.
 *
 * @param stamp of the tables, asked for once for all rows of an answer
 */
export function showAnnotation(
  entry: Entry<AnnotationRow>,
  tables: Tables,
  stamp: object,
  settings: PolicySettings,
): Wire<Annotation> {
  if (entry.sent?.stamp !== stamp) {
    entry.sent = { wire: toWire(toAnnotation(entry.row, tables)), stamp }
  }
  const { wire } = entry.sent
  if (settings.versioning === 'none') return wire as Wire<Annotation>
  return new Wire(wire.text.slice(0, -1) + laterFields, wire.bytes - 1 + laterFields.length)
}

function toAnnotation(row: AnnotationRow, tables: Tables): Annotation {
  const item =
    row.dashboard_item === null ? undefined : tables.dashboard_items.get(row.dashboard_item)
  const user = row.created_by === null ? undefined : tables.users.get(row.created_by)
  return {
    id: row.id,
    content: row.content,
    date_marker: row.date_marker,
    creation_type: row.creation_type,
    dashboard_item: row.dashboard_item,
    insight_short_id: item?.short_id ?? null,
    insight_name: item?.name ?? null,
    created_by: user ? toCreatedBy(user) : null,
    created_at: row.created_at,
    updated_at: row.updated_at,
    deleted: row.deleted,
    scope: row.scope,
  }
}

function toCreatedBy(user: UserRow): CreatedBy {
  return {
    id: user.id,
    uuid: user.uuid,
    distinct_id: user.distinct_id,
    first_name: user.first_name,
    last_name: user.last_name,
    email: user.email,
    is_email_verified: user.is_email_verified,
    hedgehog_config: user.hedgehog_config,
  }
}
