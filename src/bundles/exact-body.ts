import { isObject } from '../differences.ts'
import { textToBase64 } from '../recordings/bytes.ts'
import type { Exchange } from '../recordings/exchange.ts'
import { isForm } from '../recordings/headers.ts'
import { literal } from '../scenarios/literal.ts'
import type { RequestStep } from '../scenarios/scenario.ts'
import { ReadBody } from '../secrets/read-body.ts'
import type { StrangeKeys } from './strange-keys.ts'

/** How a step sends a body. */
interface SentBody {
  readonly sent: Pick<RequestStep, 'body' | 'text' | 'base64'>
  /** The headers that it says by that */
  readonly says: readonly string[]
}

/** The body of a request, so that the same bytes are sent again; null where it was not kept. */
export function exactBody(
  { method, request: { headers, body } }: Exchange,
  keys: StrangeKeys,
): SentBody | null {
  // Nothing sends one with them, and the service reads none.
  if (body === null || method === 'GET' || method === 'HEAD') return { sent: {}, says: [] }
  if ('omitted' in body) return null
  if ('base64' in body) return { sent: { base64: keys.asked.base64(body.base64) }, says: [] }
  const { text } = keys.asked.body(new ReadBody(body.text, isForm(headers)))
  const type = headers.find(([name]) => name === 'content-type')?.[1]
  // A text gets a type of its own where it is sent without one; bytes do not.
  if (type === undefined) {
    return { sent: { base64: textToBase64(text) }, says: [] }
  }
  const value = asWritten(text)
  if (value === undefined) return { sent: { text }, says: [] }
  return {
    sent: { body: literal(value) },
    says: type === 'application/json' ? ['content-type'] : [],
  }
}

/** The value of a JSON text that is written as we would write it; undefined for any other text. */
function asWritten(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    const isFlat = isObject(value) || Array.isArray(value)
    return isFlat && JSON.stringify(value) === text ? value : undefined
  } catch {
    return undefined
  }
}
