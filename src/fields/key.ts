import { parseInteger } from '../python/int.ts'
import { toText, typeName } from '../python/text.ts'
import { type Field, Invalid, nullAsObserved, type Reading } from './field.ts'

/**
 * The id of a row of another list (observed §4). A numeric text is accepted; `""` stands for null.
 *
 * @throws Invalid when the value is no id, or no row has it
 */
export function keyOf(list: Parameters<Reading['exists']>[0]): Field<number | null> {
  return {
    schema: () => ({
      anyOf: [{ type: 'integer' }, { type: 'string', description: 'The integer as a text.' }],
    }),
    read(value, reading) {
      if (value === '' && nullAsObserved(reading.settings)) return null
      const id = idOf(value)
      if (id === undefined) {
        const got = typeName(value)
        throw new Invalid('incorrect_type', `Incorrect type. Expected pk value, received ${got}.`)
      }
      if (reading.exists(list, id)) return id
      throw new Invalid('does_not_exist', `Invalid pk "${toText(value)}" - object does not exist.`)
    },
  }
}

function idOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Math.trunc(value)
  return typeof value === 'string' ? parseInteger(value) : undefined
}
