import { type DateFields, utcMidnight } from './moment.ts'

/**
 * How many characters of a date and time belong to the date, before the separator, as Python 3.11
 * guesses it: any character may separate, so the start of the text has to tell (observed §4, Dates).
 *
 * @example
 * lengthOfDate('2024-W05-3T10:00') // 10
 */
export function datePartLength(text: string): number {
  if (text.length === 7) return 7
  if (text[4] === 'W') return compactWeekLength(text)
  if (text[4] !== '-') return 8
  if (text[5] !== 'W') return 10
  // `2024-W05-1000` is taken for week 5, ten o'clock, and `2024-W05-1T10` for its Monday.
  return text[8] === '-' && !isDigit(text[10]) ? 10 : 8
}

/** `2024W05` or `2024W053`: times have pairs of digits, so an odd one out is the day. */
function compactWeekLength(text: string): number {
  let end = 7
  while (isDigit(text[end])) end += 1
  if (end < 9) return end
  return end % 2 === 0 ? 7 : 8
}

/**
 * Reads a date of ISO 8601, as calendar day or week, with or without hyphens (observed §4, Dates).
 *
 * @example
 * readDate('2024-W05-3') // { year: 2024, month: 1, day: 31 }
 */
export function parseIsoDate(text: string): DateFields | undefined {
  const calendar =
    /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text) ?? /^([0-9]{4})([0-9]{2})([0-9]{2})$/.exec(text)
  if (calendar) {
    return {
      year: Number(calendar[1]),
      month: Number(calendar[2]),
      day: Number(calendar[3]),
    }
  }
  const week =
    /^([0-9]{4})-W([0-9]{2})(?:-([0-9]))?$/.exec(text) ??
    /^([0-9]{4})W([0-9]{2})([0-9])?$/.exec(text)
  return week ? dateOfIsoWeek(Number(week[1]), Number(week[2]), Number(week[3] ?? 1)) : undefined
}

/** Week 1 holds the 4th of January. A week belongs to the year of its Thursday. */
function dateOfIsoWeek(year: number, week: number, weekday: number): DateFields | undefined {
  if (weekday < 1 || weekday > 7) return undefined
  const fourth = utcMidnight(year, 1, 4)
  const monday = 4 - ((fourth.getUTCDay() + 6) % 7) + (week - 1) * 7
  if (utcMidnight(year, 1, monday + 3).getUTCFullYear() !== year) return undefined

  const date = utcMidnight(year, 1, monday + weekday - 1)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
  }
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9'
}
