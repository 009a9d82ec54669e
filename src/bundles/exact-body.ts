import { isObject } from '../differences.ts'
import { encodeTextBase64 } from '../recordings/bytes.ts'
import type { Exchange } from '../recordings/exchange.ts'
import { isFormBody } from '../recordings/headers.ts'
import { toLiteral } from '../scenarios/literal.ts'
import type { RequestStep } from '../scenarios/scenario.ts'
import { TextBody } from '../secrets/read-body.ts'
import type { UnknownKeys } from './strange-keys.ts'

/** How a step sends a body. */
interface ExactBody {
  readonly sent: Pick<RequestStep, 'body' | 'text' | 'base64'>
  /** The headers that it says by that */
  readonly impliedHeaders: readonly string[]
}

/** The body of a request, so that the same bytes are sent again; null where it was not kept. */
export function toExactBody(
  { method, request: { headers, body } }: Exchange,
  keys: UnknownKeys,
): ExactBody | null {
  // Nothing sends one with them, and the service reads none.
  if (body === null || method === 'GET' || method === 'HEAD')
    return { sent: {}, impliedHeaders: [] }
  if ('omitted' in body) return null
  if ('base64' in body)
    return { sent: { base64: keys.requestHider.base64(body.base64) }, impliedHeaders: [] }
  const { text } = keys.requestHider.body(new TextBody(body.text, isFormBody(headers)))
  const type = headers.find(([name]) => name === 'content-type')?.[1]
  // A text gets a type of its own where it is sent without one; bytes do not.
  if (type === undefined) {
    return { sent: { base64: encodeTextBase64(text) }, impliedHeaders: [] }
  }
  const value = parseCanonicalJson(text)
  if (value === undefined) return { sent: { text }, impliedHeaders: [] }
  return {
    sent: { body: toLiteral(value) },
    impliedHeaders: type === 'application/json' ? ['content-type'] : [],
  }
}

/** The value of a JSON text that is written as we would write it; undefined for any other text. */
function parseCanonicalJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    const isFlat = isObject(value) || Array.isArray(value)
    return isFlat && JSON.stringify(value) === text ? value : undefined
  } catch {
    return undefined
  }
}
