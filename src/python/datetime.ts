import { toAsciiDigits } from './digits.ts'
import { fromIsoFormat } from './iso-format.ts'
import { type DateTimeFields, formatUtc, isValidDateTime } from './moment.ts'
import { stripWhiteSpace } from './text.ts'

/**
 * Reads a date-time as the service does and gives it back as the service writes it: in UTC, with
 * `Z`, no fraction or one of six digits. A missing zone is UTC. `'invalid'` is the wrong format,
 * `'overflow'` a moment outside the years 1 to 9999 in UTC (observed §4, Dates).
 *
 * @example
 * parseDateTime('2024-01-01 10:00:00.5+01:00') // '2024-01-01T09:00:00.500000Z'
 * parseDateTime('yesterday') // 'invalid'
 */
export function parseDateTime(text: string): string | 'invalid' | 'overflow' {
  const moment = fromIsoFormat(text) ?? fromLooseFormat(text)
  return moment ? formatUtc(moment) : 'invalid'
}

const looseFormat = new RegExp(
  [
    /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})/,
    /[T ](?<hour>\d{1,2}):(?<minute>\d{1,2})/,
    /(?::(?<second>\d{1,2})(?:[.,](?<fraction>\d{1,6})\d{0,6})?)?/,
    /(?<space>[^Z+-]*)(?:Z|(?<sign>[+-])(?<hours>\d{2})(?::?(?<minutes>\d{2}))?)?\n?$/,
  ]
    .map((part) => part.source)
    .join(''),
)

/**
 * What Django tries next: fields of one digit, white space before the zone, digits of any script,
 * a line end behind it all.
 */
function fromLooseFormat(text: string): DateTimeFields | undefined {
  const found = looseFormat.exec(toAsciiDigits(text))?.groups
  if (!found || stripWhiteSpace(found.space ?? '') !== '') return undefined

  const minutes = Number(found.hours ?? 0) * 60 + Number(found.minutes ?? 0)
  const moment = {
    date: {
      year: Number(found.year),
      month: Number(found.month),
      day: Number(found.day),
    },
    time: {
      hour: Number(found.hour),
      minute: Number(found.minute),
      second: Number(found.second ?? 0),
      microsecond: Number((found.fraction ?? '').padEnd(6, '0')),
    },
    offset: (found.sign === '-' ? -minutes : minutes) * 60e6,
  }
  return isValidDateTime(moment) ? moment : undefined
}
