import { pickFields } from '../../http/fields/shape.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import {
  flattenString,
  isPlainAscii,
  JsonText,
  quoteJson,
  type TextSource,
  toJsonText,
} from '../../utils/json-text.ts'
import type { AnnotationRow } from '../../world/rows.ts'
import type { TableEntry } from '../../world/table/table-indexes.ts'
import type { EmbeddedRows, Tables } from '../../world/table/tables.ts'
import { annotationScopes, creationTypes } from '../../world/world-format.ts'
import { type Annotation, createdByShape } from './annotation.ts'

/** `sinceJuly2024` in annotation.ts describes these fields. */
const laterFields = ',"dashboard_id":null,"dashboard_name":null,"insight_derived_name":null}'

/**
 * Serializes an annotation to JSON. The text of a row that is sent again is cached on its entry until the row or the
 * rows embedded in it change.
 */
export function serializeAnnotation(
  entry: TableEntry<AnnotationRow>,
  tables: Tables,
  embedded: EmbeddedRows,
  settings: PolicySettings,
): JsonText<Annotation> {
  const wire = serializeUncached(entry, tables, embedded)
  const { texts } = tables.embedded
  if (entry.serialized?.shown !== embedded) texts.keep(entry, { wire, shown: embedded })
  return withLaterFields(wire, settings)
}

/** The tables of the rows that annotations embed */
type EmbeddableTables = Pick<Tables, 'users' | 'dashboard_items'>

/**
 * Serializes a row of a page, which caches its bytes, or a row that was just written: it is often written again before
 * it is read. Such a text is not added to the cache.
 */
export function serializeUncached(
  { row, serialized }: TableEntry<AnnotationRow>,
  tables: EmbeddableTables,
  embedded: EmbeddedRows,
): JsonText<Annotation> {
  return serialized?.shown === embedded
    ? (serialized.wire as JsonText<Annotation>)
    : new AnnotationText(row, tables, embedded).write()
}

/** Adds the fields that a policy adds. */
export function withLaterFields(
  wire: JsonText<Annotation>,
  settings: PolicySettings,
): JsonText<Annotation> {
  if (settings.versioning === 'none') return wire
  if (settings.versioning === 'may_2024') return new JsonText(withoutHedgehog(wire.text))
  return new JsonText(wire.text.slice(0, -1) + laterFields, wire.bytes - 1 + laterFields.length)
}

function withoutHedgehog(text: string): string {
  return JSON.stringify(JSON.parse(text), (name, value) =>
    name === 'hedgehog_config' ? undefined : value,
  )
}

/**
 * The JSON text of an annotation, written field by field, in the order of `annotationShape`: many times faster than
 * JSON.stringify. Texts of the row that the fast way writes must be plain, or a quotation mark in one of them breaks
 * the JSON.
 */
class AnnotationText implements TextSource {
  readonly #row: AnnotationRow
  readonly #item: JsonText<unknown>
  readonly #user: JsonText<unknown>

  constructor(row: AnnotationRow, tables: EmbeddableTables, embedded: EmbeddedRows) {
    const { dashboard_item, created_by } = row
    this.#row = row
    this.#item = writeItem(dashboard_item, tables, embedded)
    this.#user = created_by === null ? nullJson : serializeCreatedBy(created_by, tables, embedded)
  }

  get text(): string {
    return this.write().text
  }

  write(): JsonText<Annotation> {
    const { id, content, date_marker, creation_type, created_at, updated_at } = this.#row
    const { deleted, scope } = this.#row
    const [item, user] = [this.#item, this.#user]
    const isPlain =
      content !== null && isPlainAscii(content) && isName(creation_type) && isName(scope)
    if (!isPlain || date_marker === null || created_at === null) {
      const text =
        `{"id":${id},"content":${quoteJson(content)},"date_marker":${quoteJson(date_marker)},` +
        `"creation_type":${quoteJson(creation_type)},${item.text}${user.text},` +
        `"created_at":${quoteJson(created_at)},"updated_at":"${updated_at}",` +
        `"deleted":${deleted},"scope":${quoteJson(scope)}}`
      return new JsonText(text, undefined, this)
    }
    // A text of fewer pieces is joined faster.
    const text =
      `{"id":${id},"content":"${content}","date_marker":"${date_marker}",` +
      `"creation_type":"${creation_type}",${item.text}${user.text},` +
      `"created_at":"${created_at}","updated_at":"${updated_at}","deleted":${deleted},"scope":"${scope}"}`
    const nonAscii = item.bytes - item.text.length + user.bytes - user.text.length
    return new JsonText(text, text.length + nonAscii, this)
  }
}

const names: ReadonlySet<string> = new Set([...creationTypes, ...annotationScopes])

/** By policy, creation types and scopes can be any text. */
function isName(text: string): boolean {
  return names.has(text) || isPlainAscii(text)
}

const nullJson = new JsonText<null>('null')

/** Writes the fields of a dashboard item, up to the value of the field after them. */
function writeItem(
  id: number | null,
  { dashboard_items }: EmbeddableTables,
  embedded: EmbeddedRows,
): JsonText<unknown> {
  const cached = embedded.itemTexts.get(id)
  if (cached) return cached
  const { short_id = null, name = null } = (id !== null && dashboard_items.get(id)) || {}
  const fields =
    `"dashboard_item":${id},"insight_short_id":${quoteJson(short_id)},` +
    `"insight_name":${quoteJson(name)},"created_by":`
  flattenString(fields)
  const wire = new JsonText(fields)
  embedded.itemTexts.set(id, wire)
  return wire
}

function serializeCreatedBy(
  id: number,
  { users }: EmbeddableTables,
  embedded: EmbeddedRows,
): JsonText<unknown> {
  const cached = embedded.userTexts.get(id)
  if (cached) return cached
  const user = users.get(id)
  const wire = user ? toJsonText(pickFields(createdByShape, user)) : nullJson
  embedded.userTexts.set(id, wire)
  return wire
}
