import { parseDateTime } from '../python/datetime.ts'
import { type Field, FieldError } from './field.ts'

const dateTimeFormats = 'YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]'

/** A date with a time, kept as the service writes it: UTC, `Z`, six digits of fraction or none (observed §4). */
export const dateTimeField: Field<string> = {
  schema: () => ({
    anyOf: [
      { type: 'string', format: 'date-time' },
      {
        type: 'string',
        description: 'Another form of ISO 8601, such as a date alone; UTC unless it says.',
      },
    ],
  }),
  read(value) {
    const read = typeof value === 'string' ? parseDateTime(value) : 'invalid'
    if (read === 'overflow') throw new FieldError('overflow', 'Datetime value out of range.')
    if (read !== 'invalid') return read
    throw new FieldError(
      'invalid_input',
      `Datetime has wrong format. Use one of these formats instead: ${dateTimeFormats}.`,
    )
  },
}
