import { parseInteger } from '../python/int.ts'
import { pythonTypeName, toPythonString } from '../python/text.ts'
import { type Field, FieldError, isNullableByPolicy, type ReadContext } from './field.ts'

/**
 * The id of a row of another list (observed §4). A numeric text is accepted; `""` stands for null.
 *
 * @throws Invalid when the value is no id, or no row has it
 */
export function foreignKeyField(list: Parameters<ReadContext['exists']>[0]): Field<number | null> {
  return {
    schema: () => ({
      anyOf: [{ type: 'integer' }, { type: 'string', description: 'The integer as a text.' }],
    }),
    read(value, reading) {
      if (value === '' && isNullableByPolicy(reading.settings)) return null
      const id = parseId(value)
      if (id === undefined) {
        const got = pythonTypeName(value)
        throw new FieldError(
          'incorrect_type',
          `Incorrect type. Expected pk value, received ${got}.`,
        )
      }
      if (reading.exists(list, id)) return id
      throw new FieldError(
        'does_not_exist',
        `Invalid pk "${toPythonString(value)}" - object does not exist.`,
      )
    },
  }
}

function parseId(value: unknown): number | undefined {
  if (typeof value === 'number') return Math.trunc(value)
  return typeof value === 'string' ? parseInteger(value) : undefined
}
