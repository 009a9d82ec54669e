import { parseDateTime } from './date-time.ts'

/**
 * The words of a message for a text that is not a time: they name a day that its month lacks.
 *
 * @param otherwise the words for any other text
 * @example expectedTime('2024-02-30') // 'a day that its month has'
 */
export function expectedTime(
  text: unknown,
  otherwise: string = 'an ISO 8601 time such as 2024-06-01T00:00:00Z',
): string {
  const [, month, day, rest] = /^(\d{4}-\d\d-)(\d\d)(.*)$/s.exec(String(text)) ?? []
  if (month === undefined || isTime(`${month}${day}`)) return otherwise
  return isTime(`${month}01${rest}`) ? 'a day that its month has' : otherwise
}

function isTime(text: string): boolean {
  return !['invalid', 'overflow'].includes(parseDateTime(text))
}
