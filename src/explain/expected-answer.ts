import { type ApiResponse, bodyText, sentHeaders } from '../http/messages.ts'
import type { RequestStep } from '../scenarios/format/scenario.ts'
import type { SavedValues } from '../scenarios/format/values.ts'
import type { StepDifference } from '../scenarios/run/differences.ts'
import { compareResponse, parseTextBody } from '../scenarios/run/play.ts'

/** What differs between an answer to the request of a step and the response that the step expects. */
export function differencesOf(
  { method, expect = {} }: RequestStep,
  answer: ApiResponse,
  saved: SavedValues,
): readonly StepDifference[] {
  const text = method === 'HEAD' ? '' : bodyText(answer.body)
  const headers = new Headers(sentHeaders(answer))
  const received = { status: answer.status, headers, text, broken: false }
  return compareResponse(expect, received, parseTextBody(text), saved)
}
