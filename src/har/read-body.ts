import { bytesToExchangedBody, decodeBase64 } from '../recordings/bytes.ts'
import type { ExchangedBody } from '../recordings/exchange.ts'
import type { RawContent, RawMessage, RawPostData } from './schema.ts'

/** The body of a request; null where it has none. @throws TypeError for base64 that is none */
export function requestBody({
  postData,
  bodySize,
}: RawMessage & { readonly postData?: RawPostData | null }): ExchangedBody | null {
  const { text = '', params = [], encoding, _encoding = encoding } = postData ?? {}
  if (text !== '') return toBody(text, _encoding)
  // Exporters that take a form apart leave its text out.
  if (params.length > 0 && isForm(postData?.mimeType)) {
    const pairs = params.map(({ name, value = '' }) => [name, value])
    return { text: String(new URLSearchParams(pairs)) }
  }
  return omittedBody(bodySize)
}

/** The body of an answer; null where it has none. @throws TypeError for base64 that is none */
export function responseBody({
  content,
  bodySize,
}: RawMessage & { readonly content?: RawContent | null }): ExchangedBody | null {
  const { text = '', encoding, size } = content ?? {}
  return text === '' ? omittedBody(size ?? bodySize) : toBody(text, encoding)
}

/** Whether an encoding is one that is read: texts as they are, and base64. */
export function isKnownEncoding(encoding: string | undefined): boolean {
  return encoding === undefined || /^(|base64|utf-?8)$/i.test(encoding)
}

/** Browsers write texts in base64, too, where they take them for something else. */
function toBody(text: string, encoding: string | undefined): ExchangedBody {
  if (encoding?.toLowerCase() !== 'base64') return { text }
  return bytesToExchangedBody(decodeBase64(text))
}

/** Exporters leave bodies out: they are told by their size alone. */
function omittedBody(size: number | null | undefined): ExchangedBody | null {
  return size && size > 0 ? { omitted: size } : null
}

function isForm(type = ''): boolean {
  return type.startsWith('application/x-www-form-urlencoded')
}
