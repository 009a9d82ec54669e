import { dropped } from '../http/broken.ts'
import type { Answer, Call } from '../http/call.ts'
import { toBytes } from '../recordings/bytes.ts'
import type { Heard } from '../scenarios/target.ts'
import { Wire } from '../wire.ts'
import { placeholder } from './tape.ts'

/**
 * A recorded answer as it is sent.
 *
 * @param base where the API begins for the caller, which stands in its links
 */
export function toSent({ status, headers, text, base64, broken }: Heard, base: string): Answer {
  if (broken) return dropped
  const wire = new Wire(text.replaceAll(placeholder, base))
  const sent: Record<string, string> = {}
  for (const [name, value] of headers) sent[name] = value.replaceAll(placeholder, base)
  delete sent['content-length']
  if (base64 !== undefined) return bytesAs({ status, headers: sent }, toBytes(base64))
  if (status !== 204 && status !== 304) sent['content-length'] = String(wire.bytes)
  return { status, headers: sent, text: wire.text, ascii: wire.bytes === wire.text.length }
}

/** A body that is no text goes out as a stream of one piece. */
function bytesAs(
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  bytes: Uint8Array,
): Answer {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield bytes
  }
  const sent = { ...headers, 'content-length': String(bytes.length) }
  return { status, headers: sent, text: '', ascii: true, stream: pieces() }
}

/** A simulated answer as one that was heard. */
export function toHeard({ status, headers, text }: Answer): Heard {
  return { status, headers: new Headers(headers), text, broken: status === 0 }
}

/** Where the API begins for a caller: the address without the path and the query. */
export function baseOf({ url }: Call, target: string): string {
  const whole = url.replace(/#.*$/s, '')
  return whole.endsWith(target) ? whole.slice(0, whole.length - target.length) : new URL(url).origin
}
