import { decodeBase64 } from '../../http/exchange.ts'
import { type PolicyId, type PolicySettings, policies } from '../../policies/policies.ts'
import { policyIds } from '../../policies/setting-ranges.ts'
import { isObject } from '../../utils/json.ts'
import type { ReplayedRequest } from './traffic-replay.ts'

type Numbers = { readonly [Id in PolicyId]?: readonly number[] }

/** The policies whose values are whole numbers. */
export const numericPolicies: readonly PolicyId[] = policyIds.filter(
  (id) => 'integer' in policies[id].values,
)

/** The numbers that a request and its response suggest for policies of whole numbers. */
export function numbersToTry({ step }: ReplayedRequest, settings: PolicySettings): Numbers {
  const { body, text, base64, expect } = step
  const expected = expect?.exact_body ?? expect?.body
  const page = isObject(expected) ? expected : {}
  const shown = [
    ...(Array.isArray(page.results) ? [page.results.length] : []),
    ...[page.next, page.previous].flatMap(limitOf),
  ].filter((number) => number > 0)
  const sent = body === undefined ? String(text ?? '') : JSON.stringify(body)
  const bytes = base64 ? decodeBase64(base64).length : new TextEncoder().encode(sent).length
  // The largest number that refuses the body, or the smallest that accepts it.
  const size = expect?.status === 413 ? bytes - 1 : bytes
  return Object.fromEntries(
    numericPolicies.map((id) => {
      const numbers = id === 'limits.body' ? [size].filter((number) => number > 0) : shown
      return [id, [...new Set(numbers)].filter((number) => number !== settings[id])]
    }),
  )
}

/** The numbers beside a setting, which only the same setting responds otherwise to. */
export function neighboursOf(setting: string | number): readonly number[] {
  const number = Number(setting)
  return [number - 1, number + 1].filter((each) => each > 0)
}

/** The limit in a link to another page. */
function limitOf(link: unknown): number[] {
  const text = isObject(link) ? link.$text : link
  const [, limit] = /[?&]limit=(\d+)/.exec(typeof text === 'string' ? text : '') ?? []
  return limit === undefined ? [] : [Number(limit)]
}
