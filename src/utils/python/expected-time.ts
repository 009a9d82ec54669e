import { parseDateTime } from './date-time.ts'

/**
 * What was expected in place of a text that is no time, for messages.
 *
 * @example expectedTime('2024-02-30') // 'a day that its month has'
 */
export function expectedTime(
  text: unknown,
  otherwise: string = 'an ISO 8601 time such as 2024-06-01T00:00:00Z',
): string {
  const [, month, day, rest] = /^(\d{4}-\d\d-)(\d\d)(.*)$/s.exec(String(text)) ?? []
  const isDay = month !== undefined && day !== '01'
  const hasMonth = isDay && !['invalid', 'overflow'].includes(parseDateTime(`${month}01${rest}`))
  return hasMonth ? 'a day that its month has' : otherwise
}
