import {
  bytesToExchangedBody,
  bytesToText,
  decodeBase64,
  type ExchangedBody,
  exchangedLength,
} from '../../http/exchange.ts'
import { type Issue, inspectValue, type Path } from '../../utils/errors.ts'
import { readJsonBody, tryParseJson, withoutByteOrderMark } from '../../utils/json.ts'

/** A body, or what is wrong with it in its entry. */
export type ReadBody = ExchangedBody | null | { readonly issue: Issue }

/** How bodies are read that an archive has in another form. By default, they are not. */
export interface BodyReaders {
  /** Decodes a body by its `content-encoding`. Null if that is not possible */
  readonly decode?: (bytes: Uint8Array, encoding: string) => BodyBytes | null
  /** Whether there is room for a body that was decoded */
  readonly keep?: (bytes: Uint8Array) => BodyBytes
  /** Reads a file beside the archive, by its name. Null if there is none */
  readonly readFile?: (name: string) => BodyBytes | null
  /** Called for a body that is read otherwise than it is written. @param how what was done, without a full stop */
  readonly note?: (how: string, detail?: string) => void
}

/** The bytes of a body, or how many it has if they are too many. */
export type BodyBytes = Uint8Array | { readonly omitted: number }

/** @param type the header `content-type` */
export function toBody(bytes: BodyBytes, type: string | undefined): ExchangedBody {
  return 'omitted' in bytes ? bytes : bytesToExchangedBody(bytes, type)
}

interface RawBody {
  readonly text: string
  readonly encoding: string | undefined
  readonly mimeType: string | undefined
  /** Its length, if the exporter left it out */
  readonly size: number | null | undefined
}

export function readBody(
  path: Path,
  { text, encoding = '', mimeType = '', size }: RawBody,
  { note, keep = (bytes) => bytes }: BodyReaders,
): ReadBody {
  if (!/^(|base64|utf-?8)$/i.test(encoding)) {
    const expected = `expected base64 or nothing, got ${inspectValue(encoding)}`
    return { issue: { path: [...path, 'encoding'], text: expected } }
  }
  if (text === '') return size && size > 0 ? { omitted: size } : null
  // Browsers also write text in base64 if they do not recognize its type.
  if (encoding.toLowerCase() !== 'base64') {
    const bytes = encoding === '' && decodeUnmarked(text, mimeType)
    if (!bytes) return { text }
    note?.('Read as base64, though the archive does not say so: bodies of entry')
    return toBody(keep(bytes), mimeType)
  }
  try {
    // A text that was cut off can end within four characters.
    const isWhole = text.length < 4 || !size || size * (4 / 3) <= text.length
    const kept = isWhole ? text : text.slice(0, text.length - (text.length % 4))
    return toBody(keep(decodeBase64(kept)), mimeType)
  } catch {
    return { issue: { path: [...path, 'text'], text: 'invalid base64' } }
  }
}

/**
 * A body, unless its exporter kept only the beginning, as tools with a limit do: it breaks off, and has fewer bytes than the
 * entry says. A service did not send that, so the body counts as not recorded.
 */
export function withoutCutBody<Body extends ReadBody>(
  body: Body,
  size: number,
  { note }: BodyReaders,
): Body | ExchangedBody {
  if (!body || 'issue' in body || 'omitted' in body) return body
  const kept = exchangedLength(body)
  const isBroken =
    'base64' in body || (/^\uFEFF?\s*[[{]/.test(body.text) && readJsonBody(body.text) === undefined)
  if (kept >= size || !isBroken) return body
  const [some, all] = [kept, size].map((count) => count.toLocaleString('en'))
  note?.('Cut off by the exporter, and so not read: bodies of entry', `${some} of ${all} bytes`)
  return { omitted: size }
}

/**
 * Decodes base64 that its exporter did not mark, such as an older BrowserMob: a text of its alphabet that is no JSON or
 * markup, as its type says, but becomes that. Null for any other text.
 */
function decodeUnmarked(text: string, mimeType: string): Uint8Array | null {
  const isMarkup = /\b(?:html|xml)\b/i.test(mimeType)
  if (!(isMarkup || /\bjson\b/i.test(mimeType)) || /[^\w+/=\s]/.test(text)) return null
  try {
    const bytes = decodeBase64(text)
    const decoded = withoutByteOrderMark(bytesToText(bytes, mimeType) ?? '').trimStart()
    const isMeant = isMarkup
      ? decoded.startsWith('<')
      : /^[[{]/.test(decoded) && tryParseJson(decoded)
    return isMeant ? bytes : null
  } catch {
    return null
  }
}
