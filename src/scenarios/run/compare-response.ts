import { encodeTextBase64 } from '../../http/exchange.ts'
import { matchesStatus } from '../../sandbox/journal/filter.ts'
import type { Difference } from '../../utils/diff.ts'
import { formatIssuePath } from '../../utils/schema-issues.ts'
import { diffWithMatchers } from '../format/matchers.ts'
import type { ExpectedResponse } from '../format/scenario.ts'
import { fillValue, type SavedValues } from '../format/values.ts'
import type { StepDifference } from './result.ts'
import type { ReceivedResponse } from './target.ts'

/** The body of an answer: JSON as a value, else a text; undefined where there is none. */
export function parseTextBody(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Every place where an answer is not as expected. */
export function compareResponse(
  expected: ExpectedResponse,
  heard: ReceivedResponse,
  body: unknown,
  saved: SavedValues,
): StepDifference[] {
  const { status, headers = {}, broken = false } = expected
  if (broken !== heard.broken) {
    const [wanted, got] = [describeOutcome(broken, heard), describeOutcome(heard.broken, heard)]
    return [{ ...toStepDifference('broken', { path: [], expected: wanted, got }), inWords: true }]
  }
  const found: StepDifference[] = []
  if (status !== undefined && !matchesStatus(heard.status, status)) {
    found.push(toStepDifference('status', { path: [], expected: status, got: heard.status }))
  }
  for (const [name, value] of Object.entries(headers)) {
    const got = heard.headers.get(name) ?? undefined
    const wanted = value === null ? { $match: 'absent' } : fillValue(value, saved)
    found.push(
      ...diffWithMatchers(wanted, got, false).map((one) =>
        toStepDifference('headers', { ...one, path: [name] }),
      ),
    )
  }
  for (const part of ['body', 'exact_body'] as const) {
    if (!(part in expected)) continue
    if (heard.base64 !== undefined) {
      found.push({
        ...toStepDifference(part, { path: [], ...describeBinary(heard) }),
        inWords: true,
      })
      continue
    }
    const wanted = fillValue(expected[part], saved)
    found.push(
      ...diffWithMatchers(wanted, body, part === 'exact_body').map((one) =>
        toStepDifference(part, one),
      ),
    )
  }
  const text = fillValue(expected.text, saved)
  if (text !== undefined && heard.base64 !== undefined) {
    found.push({
      ...toStepDifference('text', { path: [], ...describeBinary(heard) }),
      inWords: true,
    })
  } else if (text !== undefined && text !== heard.text) {
    found.push(toStepDifference('text', { path: [], expected: text, got: heard.text }))
  }
  const { base64 } = expected
  const bytes = base64 === undefined ? undefined : (heard.base64 ?? encodeTextBase64(heard.text))
  if (bytes !== base64)
    found.push(toStepDifference('base64', { path: [], expected: base64, got: bytes }))
  return found
}

function toStepDifference(part: string, difference: Difference): StepDifference {
  const { path } = difference
  const name = part === 'exact_body' ? 'body' : part
  return { ...difference, path: ['expect', part, ...path], where: formatIssuePath([name, ...path]) }
}

/** Of bytes that are no UTF-8 their type is told. */
function describeBinary({ headers }: ReceivedResponse): { expected: string; got: string } {
  const type = headers.get('content-type') ?? 'of no type'
  return { expected: 'a text', got: `bytes that are no text (${type})` }
}

function describeOutcome(isBroken: boolean, { status }: ReceivedResponse): string {
  if (isBroken) return 'a connection that breaks'
  return status === 0 ? 'an answer' : `an answer (${status})`
}
