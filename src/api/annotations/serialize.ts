import { pickFields } from '../../http/fields/shape.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import {
  flattenString,
  isPlainAscii,
  JsonText,
  quoteJson,
  toJsonText,
} from '../../utils/json-text.ts'
import type { AnnotationRow } from '../../world/rows.ts'
import type { TableEntry } from '../../world/table/table-indexes.ts'
import type { EmbeddedRows, Tables } from '../../world/table/tables.ts'
import { type Annotation, createdByShape } from './annotation.ts'

/** `sinceJuly2024` in annotation.ts describes these fields. */
const laterFields = ',"dashboard_id":null,"dashboard_name":null,"insight_derived_name":null}'

/**
 * Serializes an annotation to JSON. The text is cached on the entry until the row or the rows embedded in it change,
 * which makes listing many times faster.
 */
export function serializeAnnotation(
  entry: TableEntry<AnnotationRow>,
  tables: Tables,
  embedded: EmbeddedRows,
  settings: PolicySettings,
): JsonText<Annotation> {
  if (entry.serialized?.shown !== embedded) {
    const wire = writeAnnotation(entry.row, tables, embedded)
    flattenString(wire.text)
    entry.serialized = { wire, shown: embedded }
  }
  return withLaterFields(entry.serialized.wire as JsonText<Annotation>, settings)
}

/** Serializes a row that was just written. It is not cached, because it is often written again before it is read. */
export function serializeWithoutCache(
  { row }: TableEntry<AnnotationRow>,
  tables: Tables,
  embedded: EmbeddedRows,
  settings: PolicySettings,
): JsonText<Annotation> {
  return withLaterFields(writeAnnotation(row, tables, embedded), settings)
}

function withLaterFields(
  wire: JsonText<Annotation>,
  settings: PolicySettings,
): JsonText<Annotation> {
  if (settings.versioning === 'none') return wire
  return new JsonText(wire.text.slice(0, -1) + laterFields, wire.bytes - 1 + laterFields.length)
}

/**
 * Writes field by field, in the order of `annotationShape`: four times faster than JSON.stringify. Each text that
 * `quote` writes must also be in the list of `isPlain`, or a quotation mark in it breaks the JSON.
 */
function writeAnnotation(
  row: AnnotationRow,
  tables: Tables,
  embedded: EmbeddedRows,
): JsonText<Annotation> {
  const item = row.dashboard_item === null ? null : tables.dashboard_items.get(row.dashboard_item)
  const user =
    row.created_by === null ? nullJson : serializeCreatedBy(row.created_by, tables, embedded)
  const { content, creation_type, scope } = row
  const [shortId, name] = item ? [item.short_id, item.name] : [null, null]
  const isPlain = [content, creation_type, scope, shortId, name].every(isPlainAscii)
  const quote = isPlain ? quotePlain : quoteJson
  const text =
    `{"id":${row.id},"content":${quote(content)},"date_marker":${quotePlain(row.date_marker)},` +
    `"creation_type":${quote(creation_type)},"dashboard_item":${row.dashboard_item},` +
    `"insight_short_id":${quote(shortId)},"insight_name":${quote(name)},"created_by":${user.text},` +
    `"created_at":${quotePlain(row.created_at)},"updated_at":${quotePlain(row.updated_at)},` +
    `"deleted":${row.deleted},"scope":${quote(scope)}}`
  return isPlain
    ? new JsonText(text, text.length + user.bytes - user.text.length)
    : new JsonText(text)
}

function quotePlain(text: string | null): string {
  return text === null ? 'null' : `"${text}"`
}

const nullJson = new JsonText<null>('null')

function serializeCreatedBy(
  id: number,
  { users }: Tables,
  embedded: EmbeddedRows,
): JsonText<unknown> {
  const cached = embedded.userTexts.get(id)
  if (cached) return cached
  const user = users.get(id)
  const wire = user ? toJsonText(pickFields(createdByShape, user)) : nullJson
  embedded.userTexts.set(id, wire)
  return wire
}
