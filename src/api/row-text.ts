import type { ApiContext } from '../http/endpoint.ts'
import type { SettingValues } from '../settings/setting.ts'
import { type JsonText, toJsonText } from '../utils/json.ts'
import type { Entity, Field } from '../world/entities/field.ts'
import { textsOf } from '../world/response-texts.ts'
import type { AnyTable, RowId, Tables } from '../world/tables.ts'

type Values = Readonly<Record<string, unknown>>

/** Returns a function that writes rows as JSON text, as responses have them now. */
export type RowWriter<Row, Sent> = (
  context: Pick<ApiContext, 'tables' | 'settings'>,
) => (row: Row) => JsonText<Sent>

/**
 * Writes the rows of an entity, with the fields of the rows that they reference. A text is kept until the row changes, or
 * a row that can be embedded.
 */
export function createRowWriter<Row extends object, Sent>(
  entity: Pick<Entity, 'fields'>,
): RowWriter<Row, Sent> {
  const fields: Readonly<Record<string, Field>> = entity.fields
  const dependsOnSetting = hasConditions(fields)
  return ({ tables, settings }) => {
    let texts: WeakMap<object, JsonText<unknown>> | undefined
    return (row) => {
      // Read with the first row: a page without rows rests on no setting.
      texts ??= textsOf(tables, dependsOnSetting ? settings['annotations.fields'] : '')
      const known = texts.get(row)
      if (known) return known as JsonText<Sent>
      const text = toJsonText(toSent(fields, row as Values, tables, settings))
      texts.set(row, text)
      return text as JsonText<never>
    }
  }
}

/** Whether the setting `annotations.fields` decides about a field, or about one of an embedded row. */
function hasConditions(fields: Readonly<Record<string, Field>>): boolean {
  return Object.values(fields).some(
    ({ sent }) => sent && (sent.when ?? (sent.embedded && hasConditions(sent.embedded.fields))),
  )
}

function toSent(
  fields: Readonly<Record<string, Field>>,
  row: Values,
  tables: Tables,
  settings: SettingValues,
): Values {
  const values: Record<string, unknown> = {}
  for (const name in fields) {
    const field = fields[name] as Field
    const { sent = {} } = field
    if (sent === false || (sent.when && !sent.when.includes(settings['annotations.fields'])))
      continue
    const { from, embedded, convert } = sent
    if (field.kind === 'nothing') values[name] = null
    else if (from) {
      const other = findReferenced(fields[from.reference] as Field, row, tables)
      values[name] = other?.[from.name] ?? (field.nullable ? null : '')
    } else if (embedded) {
      const other = findReferenced(field, row, tables)
      values[name] = other ? toSent(embedded.fields, other, tables, settings) : null
    } else values[name] = convert ? convert(row[name] as never) : row[name]
  }
  return values
}

/** The row that a field of another row references. */
function findReferenced({ name, list }: Field, row: Values, tables: Tables): Values | undefined {
  if (list === undefined) return undefined
  const table: AnyTable = tables[list]
  return table.get(row[name] as RowId) as Values | undefined
}
