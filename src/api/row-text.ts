import { pickFields, responseShape } from '../http/fields/body-fields.ts'
import { flattenString, isPlainAscii, JsonText, quoteJson, type TextSource } from '../utils/json.ts'
import type { Entity } from '../world/entities/entity.ts'
import type { Field } from '../world/entities/field.ts'
import type { AnyTable, EmbeddableTables, EmbeddedRows, RowId } from '../world/table/tables.ts'

type Row = Readonly<Record<string, unknown>>

/** Writes a row as JSON text, as responses have it. */
type WriteRow<Stored, Sent> = (
  row: Stored,
  tables: EmbeddableTables,
  embedded: EmbeddedRows,
) => JsonText<Sent>

/**
 * Returns a function that writes the rows of an entity, in the order of its fields: several times faster than
 * JSON.stringify. Fields that are always null are left out, because policies add them.
 */
export function createRowWriter<Stored extends object, Sent>(
  entity: Pick<Entity, 'fields'>,
): WriteRow<Stored, Sent> {
  const parts = createParts(entity.fields)
  const references = parts.filter(({ writeReference }) => writeReference)
  return (stored, tables, embedded) => {
    const row = stored as Row
    // Not push(): the journal keeps the list, and pushing reserves room for seventeen texts.
    const texts = new Array<JsonText<unknown>>(references.length)
    for (let index = 0; index < texts.length; index++) {
      texts[index] = referenceText(references[index] as Part, row, tables, embedded)
    }
    return new RowText<Sent>(parts, row, texts).write()
  }
}

/** A piece of the text of a row: a field, or a reference with all fields that depend on it. */
interface Part {
  /** The field of the row */
  readonly name: string
  /** What precedes the value: a brace or a comma, the name, and a colon */
  readonly key: string
  readonly quotedKey: string
  /** Whether the texts never need an escape */
  readonly isPlain: boolean
  /** The usual texts, which need no escape */
  readonly words: ReadonlySet<unknown> | null
  readonly toSent: Field['toSent']
  readonly writeReference: ((id: unknown, tables: EmbeddableTables) => string) | null
}

function createParts(byName: Readonly<Record<string, Field>>): readonly Part[] {
  const shown = Object.values(byName).filter(
    ({ isHidden, kind }) => !isHidden && kind !== 'nothing',
  )
  const groups: [Field, ...Field[]][] = []
  for (const field of shown) {
    const last = groups.at(-1)
    if (field.from && last && field.from.reference === referenceOf(last[0])) last.push(field)
    else groups.push([field])
  }
  return groups.map((group, index) => {
    const [{ name, kind, values, toSent }] = group
    const key = `${index === 0 ? '{' : ','}"${name}":`
    const reference = byName[referenceOf(group[0])]
    return {
      name: reference?.name ?? name,
      key,
      quotedKey: `${key}"`,
      isPlain: kind === 'time' || kind === 'uuid',
      words: values ? new Set(values) : null,
      toSent,
      writeReference: reference ? createReferenceWriter(group, key, reference) : null,
    }
  })
}

/** The reference that a field depends on; empty for none. */
function referenceOf({ name, kind, from }: Field): string {
  return from?.reference ?? (kind === 'reference' ? name : '')
}

function createReferenceWriter(
  fields: readonly Field[],
  firstKey: string,
  { list }: Field,
): Part['writeReference'] {
  const writers = fields.map(({ name, from, embedded, isNullable }, index) => {
    const key = index === 0 ? firstKey : `,"${name}":`
    const shape = embedded && responseShape<object>(embedded)
    return (id: unknown, row: Row | undefined): string => {
      if (from) return key + JSON.stringify(row?.[from.name] ?? (isNullable ? null : ''))
      if (shape) return key + JSON.stringify(row ? pickFields(shape, row) : null)
      return key + JSON.stringify(id)
    }
  })
  return (id, tables) => {
    const table: AnyTable = tables[list as keyof EmbeddableTables]
    const row = id === null ? undefined : table.get(id as RowId)
    return writers.map((write) => write(id, row as Row | undefined)).join('')
  }
}

/** The text of a row, written field by field. The journal keeps it in place of the text. */
class RowText<Sent> implements TextSource {
  readonly #parts: readonly Part[]
  readonly #row: Row
  /** The texts of its references, in their order */
  readonly #references: readonly JsonText<unknown>[]

  constructor(parts: readonly Part[], row: Row, references: readonly JsonText<unknown>[]) {
    this.#parts = parts
    this.#row = row
    this.#references = references
  }

  get text(): string {
    return this.write().text
  }

  write(): JsonText<Sent> {
    const [row, references] = [this.#row, this.#references]
    // Pieces that are appended one by one are joined faster than pieces of pieces.
    let text = ''
    let isAscii = true
    let nonAscii = 0
    let next = 0
    for (const part of this.#parts) {
      if (part.writeReference) {
        const fields = references[next++] as JsonText<unknown>
        text += fields.text
        nonAscii += fields.bytes - fields.text.length
        continue
      }
      const value = part.toSent ? part.toSent(row[part.name] as never) : row[part.name]
      if (typeof value !== 'string') {
        const isObject = typeof value === 'object' && value !== null
        isAscii &&= !isObject
        text += part.key
        text += isObject ? JSON.stringify(value) : value
      } else if (part.isPlain || part.words?.has(value) || isPlainAscii(value)) {
        text += part.quotedKey
        text += value
        text += '"'
      } else {
        isAscii = false
        text += part.key
        text += quoteJson(value)
      }
    }
    text += '}'
    return new JsonText(text, isAscii ? text.length + nonAscii : undefined, this)
  }
}

/** The text of a reference, which is cached until one of the rows that it can lead to changes. */
function referenceText(
  part: Part,
  row: Row,
  tables: EmbeddableTables,
  embedded: EmbeddedRows,
): JsonText<unknown> {
  const id = row[part.name]
  const texts = embedded.textsOf(part)
  const known = texts.get(id)
  if (known) return known
  const text = part.writeReference?.(id, tables) ?? ''
  flattenString(text)
  const wire = new JsonText(text)
  texts.set(id, wire)
  return wire
}
