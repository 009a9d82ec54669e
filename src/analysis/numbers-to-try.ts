import type { RequestStep } from '../scenarios/format/scenario.ts'
import { type SettingId, settingIds, settingsById } from '../settings/setting.ts'
import { isObject } from '../utils/json.ts'

type Numbers = { readonly [Id in SettingId]?: readonly number[] }

/** The settings whose values are whole numbers. */
export const numericSettings: readonly SettingId[] = settingIds.filter(
  (id) => 'integer' in settingsById[id].values,
)

/** What the numbers of settings show in. */
interface ShownNumbers {
  /** The size of the body that was sent */
  readonly bytes: number
  readonly status: unknown
  /** The body of the response */
  readonly page: unknown
}

/** What a step sends, and the response that it expects. */
export function shownByStep({ body, text, expect }: RequestStep): ShownNumbers {
  const sent = body === undefined ? String(text ?? '') : JSON.stringify(body)
  const bytes = new TextEncoder().encode(sent).length
  return { bytes, status: expect?.status, page: expect?.exact_body ?? expect?.body }
}

/** The numbers that a request and its response suggest for settings of whole numbers. */
export function numbersToTry(
  { bytes, status, page }: ShownNumbers,
  settings: Readonly<Record<string, string | number>>,
): Numbers {
  const { results, next, previous } = isObject(page) ? page : {}
  const shown = [
    ...(Array.isArray(results) ? [results.length] : []),
    ...[next, previous].flatMap(limitOf),
  ].filter((number) => number > 0)
  // The largest number that refuses the body, or the smallest that accepts it.
  const size = status === 413 ? bytes - 1 : bytes
  return Object.fromEntries(
    numericSettings.map((id) => {
      const numbers = id === 'limits.body' ? [size].filter((number) => number > 0) : shown
      return [id, [...new Set(numbers)].filter((number) => number !== settings[id])]
    }),
  )
}

/** Adds the smallest and the largest number of each setting, with which a response differs most. */
export function withBounds(numbers: Numbers): Numbers {
  return Object.fromEntries(
    numericSettings.map((id) => {
      const { minimum = 1, maximum = minimum } = settingsById[id].values.integer ?? {}
      return [id, [...new Set([...(numbers[id] ?? []), minimum, maximum])]]
    }),
  )
}

/** The limit in a link to another page. */
function limitOf(link: unknown): number[] {
  const text = isObject(link) ? link.$text : link
  const [, limit] = /[?&]limit=(\d+)/.exec(typeof text === 'string' ? text : '') ?? []
  return limit === undefined ? [] : [Number(limit)]
}
