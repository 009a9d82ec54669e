import { bytesToBody, toBytes } from '../recordings/bytes.ts'
import type { ExchangedBody } from '../recordings/exchange.ts'
import type { ReadContent, ReadMessage, ReadPostData } from './schema.ts'

/** The body of a request; null where it has none. @throws TypeError for base64 that is none */
export function sentBody({
  postData,
  bodySize,
}: ReadMessage & { readonly postData?: ReadPostData | null }): ExchangedBody | null {
  const { text = '', params = [], encoding, _encoding = encoding } = postData ?? {}
  if (text !== '') return bodyOf(text, _encoding)
  // Exporters that take a form apart leave its text out.
  if (params.length > 0 && isForm(postData?.mimeType)) {
    const pairs = params.map(({ name, value = '' }) => [name, value])
    return { text: String(new URLSearchParams(pairs)) }
  }
  return omitted(bodySize)
}

/** The body of an answer; null where it has none. @throws TypeError for base64 that is none */
export function heardBody({
  content,
  bodySize,
}: ReadMessage & { readonly content?: ReadContent | null }): ExchangedBody | null {
  const { text = '', encoding, size } = content ?? {}
  return text === '' ? omitted(size ?? bodySize) : bodyOf(text, encoding)
}

/** Whether an encoding is one that is read: texts as they are, and base64. */
export function isKnownEncoding(encoding: string | undefined): boolean {
  return encoding === undefined || /^(|base64|utf-?8)$/i.test(encoding)
}

/** Browsers write texts in base64, too, where they take them for something else. */
function bodyOf(text: string, encoding: string | undefined): ExchangedBody {
  if (encoding?.toLowerCase() !== 'base64') return { text }
  return bytesToBody(toBytes(text))
}

/** Exporters leave bodies out: they are told by their size alone. */
function omitted(size: number | null | undefined): ExchangedBody | null {
  return size && size > 0 ? { omitted: size } : null
}

function isForm(type = ''): boolean {
  return type.startsWith('application/x-www-form-urlencoded')
}
