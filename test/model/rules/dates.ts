import type { Value } from '../request.ts'
import { invalid } from './answers.ts'

const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(Z|[+-]\d{2}:\d{2})?)?$/

const formats = 'YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]'

/** Converts a date-time to UTC, in the format of responses. Only the forms that the generator sends are read. */
export function readDate(name: string, { type, text }: Value): string {
  const detail = `Datetime has wrong format. Use one of these formats instead: ${formats}.`
  const parts = type === 'str' ? pattern.exec(text) : null
  if (!parts) throw invalid(name, detail)
  const [year, month, day, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => (part === undefined ? undefined : Number(part))) as [number, number, number]
  const isReal =
    year >= 1 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysIn(year, month) &&
    hour < 24 &&
    minute < 60 &&
    second < 60
  if (!isReal) throw invalid(name, detail)
  const time = new Date(0)
  time.setUTCFullYear(year, month - 1, day)
  time.setUTCHours(hour, minute - offsetOf(parts[8]), second)
  if (time.getUTCFullYear() < 1 || time.getUTCFullYear() > 9999) {
    throw invalid(name, 'Datetime value out of range.', 'overflow')
  }
  const microseconds = (parts[7] ?? '').slice(0, 6).padEnd(6, '0')
  const fraction = microseconds === '000000' ? '' : `.${microseconds}`
  return `${time.toISOString().slice(0, 19)}${fraction}Z`
}

/** Minutes east of UTC. */
function offsetOf(zone = 'Z'): number {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))
  return zone.startsWith('-') ? -minutes : minutes
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** A time of the clock, in the format of responses. */
export function formatTime(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString()
  return text.endsWith('.000Z') ? text.replace('.000Z', 'Z') : text.replace('Z', '000Z')
}

/** A text that sorts like the time. */
export const sortable = (time: string): string =>
  time.includes('.') ? time : time.replace('Z', '.000000Z')
