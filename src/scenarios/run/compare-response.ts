import { encodeTextBase64 } from '../../http/exchange.ts'
import { matchesStatus } from '../../sandbox/journal/filter.ts'
import type { Difference } from '../../utils/diff.ts'
import { tryParseJson } from '../../utils/json.ts'
import { formatIssuePath } from '../../utils/schema-issues.ts'
import { diffWithMatchers } from '../format/matchers.ts'
import type { ExpectedResponse } from '../format/scenario.ts'
import { fillValue, type SavedValues } from '../format/values.ts'
import type { StepDifference } from './result.ts'
import type { ReceivedResponse } from './target.ts'

/** Parses a body as JSON. Returns the text if it is not JSON, and undefined if it is empty. */
export function parseTextBody(text: string): unknown {
  if (text === '') return undefined
  const json = tryParseJson(text)
  return json ? json.value : text
}

/** Compares a response with the expected one. @param body the parsed body */
export function compareResponse(
  expected: ExpectedResponse,
  response: ReceivedResponse,
  body: unknown,
  saved: SavedValues,
): StepDifference[] {
  const { status, headers = {}, base64, broken = false } = expected
  if (broken !== response.broken) {
    const complete = response.status === 0 ? 'a response' : `a response (${response.status})`
    const outcomes = [complete, 'a broken connection']
    const [outcome, actual] = [outcomes[Number(broken)], outcomes[Number(response.broken)]]
    return [{ ...toStepDifference('broken', outcome, actual), inWords: true }]
  }
  const differences: StepDifference[] = []
  if (status !== undefined && !matchesStatus(response.status, status)) {
    differences.push(toStepDifference('status', status, response.status))
  }
  for (const [name, value] of Object.entries(headers)) {
    const filled = value === null ? { $match: 'absent' } : fillValue(value, saved)
    const actual = response.headers.get(name) ?? undefined
    for (const difference of diffWithMatchers(filled, actual, false)) {
      differences.push(placeDifference('headers', { ...difference, path: [name] }))
    }
  }
  for (const part of ['body', 'exact_body', 'text'] as const) {
    if (!(part in expected)) continue
    const filled = fillValue(expected[part], saved)
    if (response.base64 !== undefined) {
      const type = response.headers.get('content-type') ?? 'no content type'
      const difference = toStepDifference(part, 'a text', `binary data (${type})`)
      differences.push({ ...difference, inWords: true })
    } else if (part === 'text') {
      if (filled !== response.text) differences.push(toStepDifference(part, filled, response.text))
    } else {
      const found = diffWithMatchers(filled, body, part === 'exact_body')
      differences.push(...found.map((difference) => placeDifference(part, difference)))
    }
  }
  if (base64 !== undefined) {
    const actual = response.base64 ?? encodeTextBase64(response.text)
    if (actual !== base64) differences.push(toStepDifference('base64', base64, actual))
  }
  return differences
}

function toStepDifference(part: string, expected: unknown, got: unknown): StepDifference {
  return placeDifference(part, { path: [], expected, got })
}

function placeDifference(part: string, difference: Difference): StepDifference {
  const { path } = difference
  const name = part === 'exact_body' ? 'body' : part
  return { ...difference, path: ['expect', part, ...path], where: formatIssuePath([name, ...path]) }
}
