import type { PolicySettings } from '../../policies/policies.ts'
import { JsonText } from '../../utils/json.ts'
import { type Annotation, type AnnotationRow, annotation } from '../../world/entities/annotation.ts'
import type { Field } from '../../world/entities/field.ts'
import type { TableEntry } from '../../world/table/table.ts'
import type { EmbeddableTables, EmbeddedRows, RecentTexts } from '../../world/table/tables.ts'
import { createRowWriter } from '../row-text.ts'

const writeAnnotation = createRowWriter<AnnotationRow, Annotation>(annotation)

/**
 * Serializes an annotation to JSON. The text of a row that is sent again is cached on its entry until the row or the
 * rows embedded in it change.
 */
export function serializeAnnotation(
  entry: TableEntry<AnnotationRow>,
  tables: EmbeddableTables,
  embedded: EmbeddedRows,
  texts: RecentTexts,
): JsonText<Annotation> {
  const wire = serializeUncached(entry, tables, embedded)
  if (entry.serialized?.shown !== embedded) texts.keep(entry, { wire, shown: embedded })
  return wire
}

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
    : writeAnnotation(row, tables, embedded)
}

/** The fields that are always null, and only in a later version */
const laterFields = Object.values<Field>(annotation.fields)
  .filter(({ kind }) => kind === 'nothing')
  .map(({ name }) => `,"${name}":null`)
  .join('')

/** Adds or removes the fields that another version has or lacks. */
export function inVersion(
  wire: JsonText<Annotation>,
  version: PolicySettings['versioning'],
): JsonText<Annotation> {
  if (version === 'none') return wire
  if (version === 'may_2024') return new JsonText(withoutHedgehog(wire.text))
  return new JsonText(`${wire.text.slice(0, -1)}${laterFields}}`, wire.bytes + laterFields.length)
}

function withoutHedgehog(text: string): string {
  return JSON.stringify(JSON.parse(text), (name, value) =>
    name === 'hedgehog_config' ? undefined : value,
  )
}
