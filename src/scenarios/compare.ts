import type { Difference } from '../differences.ts'
import { hasStatus } from '../journal/filter.ts'
import { textToBase64 } from '../recordings/bytes.ts'
import { pathText } from '../world/faults.ts'
import { differencesOf } from './matchers.ts'
import type { StepDifference } from './result.ts'
import type { Expected } from './scenario.ts'
import type { Heard } from './target.ts'
import { filled, type Saved } from './values.ts'

/** The body of an answer: JSON as a value, else a text; undefined where there is none. */
export function bodyOf(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Every place where an answer is not as expected. */
export function compare(
  expected: Expected,
  heard: Heard,
  body: unknown,
  saved: Saved,
): StepDifference[] {
  const { status, headers = {}, broken = false } = expected
  if (broken !== heard.broken) {
    const [wanted, got] = [describeEnd(broken, heard), describeEnd(heard.broken, heard)]
    return [{ ...at('broken', { path: [], expected: wanted, got }), inWords: true }]
  }
  const found: StepDifference[] = []
  if (status !== undefined && !hasStatus({ answer: heard }, status)) {
    found.push(at('status', { path: [], expected: status, got: heard.status }))
  }
  for (const [name, value] of Object.entries(headers)) {
    const got = heard.headers.get(name) ?? undefined
    const wanted = value === null ? { $match: 'absent' } : filled(value, saved)
    found.push(
      ...differencesOf(wanted, got, false).map((one) => at('headers', { ...one, path: [name] })),
    )
  }
  for (const part of ['body', 'exact_body'] as const) {
    if (!(part in expected)) continue
    if (heard.base64 !== undefined) {
      found.push({ ...at(part, { path: [], ...notText(heard) }), inWords: true })
      continue
    }
    const wanted = filled(expected[part], saved)
    found.push(...differencesOf(wanted, body, part === 'exact_body').map((one) => at(part, one)))
  }
  const text = filled(expected.text, saved)
  if (text !== undefined && heard.base64 !== undefined) {
    found.push({ ...at('text', { path: [], ...notText(heard) }), inWords: true })
  } else if (text !== undefined && text !== heard.text) {
    found.push(at('text', { path: [], expected: text, got: heard.text }))
  }
  const { base64 } = expected
  const bytes = base64 === undefined ? undefined : (heard.base64 ?? textToBase64(heard.text))
  if (bytes !== base64) found.push(at('base64', { path: [], expected: base64, got: bytes }))
  return found
}

function at(part: string, difference: Difference): StepDifference {
  const { path } = difference
  const name = part === 'exact_body' ? 'body' : part
  return { ...difference, path: ['expect', part, ...path], where: pathText([name, ...path]) }
}

/** Of bytes that are no UTF-8 their type is told. */
function notText({ headers }: Heard): { expected: string; got: string } {
  const type = headers.get('content-type') ?? 'of no type'
  return { expected: 'a text', got: `bytes that are no text (${type})` }
}

function describeEnd(isBroken: boolean, { status }: Heard): string {
  if (isBroken) return 'a connection that breaks'
  return status === 0 ? 'an answer' : `an answer (${status})`
}
