import { matchers } from '../scenarios/matchers.ts'

/** What a moment is told apart by, however it is written; null for what is no time. */
export function timeKey(value: unknown): string | null {
  return matchers.time?.holds(value) ? `time ${Date.parse(value as string)}` : null
}
