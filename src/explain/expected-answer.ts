import { type ApiResponse, bodyText, sentHeaders } from '../http/messages.ts'
import type { RequestStep } from '../scenarios/format/scenario.ts'
import type { SavedValues } from '../scenarios/format/values.ts'
import { judgeResponse, parseTextBody } from '../scenarios/run/play.ts'
import type { StepDifference } from '../scenarios/run/result.ts'
import { type SettingId, settingsById } from '../settings/setting.ts'
import { isObject } from '../utils/json.ts'

/** The numbers that a step suggests for settings of whole numbers. */
export interface ShownNumbers {
  readonly rows: readonly number[]
  readonly bytes: readonly number[]
  readonly seconds: readonly number[]
}

/** Reads them from a request and its expected response. */
export function shownNumbers({ body, text, expect }: RequestStep): ShownNumbers {
  const sent = body === undefined ? String(text ?? '') : JSON.stringify(body)
  const { length } = new TextEncoder().encode(sent)
  const page = expect?.exact_body ?? expect?.body
  const { results, next, previous } = isObject(page) ? page : {}
  const rows = [
    ...(Array.isArray(results) ? [results.length] : []),
    ...[next, previous].flatMap(limitOf),
  ].filter((number) => number > 0)
  const seconds = Number(
    Object.entries(expect?.headers ?? {}).find(([name]) => /^retry-after$/i.test(name))?.[1],
  )
  return {
    rows,
    // The largest number that refuses the body.
    bytes: expect?.status === 413 && length > 1 ? [length - 1] : [],
    seconds: Number.isInteger(seconds) && seconds > 0 ? [seconds] : [],
  }
}

/** Those for a setting. */
export function numbersFor(id: string, { rows, bytes, seconds }: ShownNumbers): readonly number[] {
  return id === 'limits.body' ? bytes : id === 'limits.retry_after' ? seconds : rows
}

function limitOf(link: unknown): number[] {
  const text = isObject(link) ? link.$saved : link
  const [, limit] = /[?&]limit=(\d+)/.exec(typeof text === 'string' ? text : '') ?? []
  return limit === undefined ? [] : [Number(limit)]
}

/** Whether a value is a whole number. */
export function isNumeric(id: SettingId): boolean {
  return 'integer' in settingsById[id].values
}

/** What differs between an answer to the request of a step and what the step expects and saves. */
export function differencesOf(
  step: RequestStep,
  answer: ApiResponse,
  saved: SavedValues,
): readonly StepDifference[] {
  const text = step.method === 'HEAD' ? '' : bodyText(answer.body)
  const headers = new Headers(sentHeaders(answer))
  const received = { status: answer.status, headers, text, broken: false }
  return judgeResponse(step, received, parseTextBody(text), saved)
}
