import { matchers } from '../scenarios/matchers.ts'
import type { RequestStep } from '../scenarios/scenario.ts'
import { mapLeaves } from './json.ts'

/** Whether a value is a time, however it is written. */
export function isTime(value: unknown): value is string {
  return matchers.time?.matches(value) === true
}

/** The moments that a request brings, in milliseconds since 1970. */
export function timesIn({ query = {}, body }: RequestStep): number[] {
  const times: number[] = []
  mapLeaves([Object.values(query), body], (leaf) => {
    if (isTime(leaf)) times.push(Date.parse(leaf))
    return leaf
  })
  return times
}
