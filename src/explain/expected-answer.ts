import { type ApiResponse, bodyText, sentHeaders } from '../http/messages.ts'
import type { RequestStep } from '../scenarios/format/scenario.ts'
import { judgeResponse, parseTextBody } from '../scenarios/run/play.ts'
import type { StepDifference } from '../scenarios/run/result.ts'
import { type SettingId, settingsById } from '../settings/setting.ts'
import type { DiffOptions } from '../utils/diff.ts'
import { isObject, utf8Length } from '../utils/json.ts'

/** The numbers that a request and its expected response suggest for a setting of whole numbers. */
export function shownNumbers(id: SettingId, { body, text, expect }: RequestStep): number[] {
  if (id === 'limits.body') {
    if (expect?.status !== 413) return []
    const sent = body === undefined ? String(text ?? '') : JSON.stringify(body)
    // The largest number that refuses the body.
    return sent.length > 1 ? [utf8Length(sent) - 1] : []
  }
  const page = expect?.exact_body ?? expect?.body
  const { results, next, previous } = isObject(page) ? page : {}
  const rows = [
    ...(Array.isArray(results) ? [results.length] : []),
    ...[next, previous].flatMap(limitOf),
  ]
  return rows.filter((number) => number > 0)
}

function limitOf(link: unknown) {
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
  options?: DiffOptions,
): readonly StepDifference[] {
  const text = step.method === 'HEAD' ? '' : bodyText(answer.body)
  const headers = new Headers(sentHeaders(answer))
  const received = { status: answer.status, headers, text, broken: false }
  return judgeResponse(step, received, parseTextBody(text), new Map(), options)
}
