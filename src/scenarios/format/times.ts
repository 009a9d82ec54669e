import { matchers } from './values.ts'

export function isTime(value: unknown): value is string {
  return matchers.time?.matches(value) === true
}

/** Writes a time in one way, so that equal moments are equal texts. Any other text stays as it is. */
export function usualTime(text: string): string {
  const moment = isTime(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(moment) ? text : new Date(moment).toISOString()
}
