import { keyFieldName } from '../../http/authorize.ts'
import { isObject, tryParseJson } from '../../utils/json.ts'
import { isAlias } from '../../utils/redaction/aliases.ts'
import { percentEncode } from '../../utils/redaction/secrets.ts'
import type { SentRequest } from './target.ts'

/** The field of a key in a query or a form, with what a recording has put in place of the key. */
const hiddenKey = new RegExp(`((?:^|[?&])${keyFieldName}=)replaced-key-\\d+(?=&|$)`)

/** Adds a key to a request: in the query or the body if a recording has hidden one there, else in the header. */
export function withKey({ url, headers, body, ...request }: SentRequest, key: string): SentRequest {
  const sent = { ...request, url, headers, ...(body !== undefined && { body }) }
  const encoded = `$1${percentEncode(key).replaceAll('$', '$$$$')}`
  if (hiddenKey.test(url)) return { ...sent, url: url.replace(hiddenKey, encoded) }
  if (typeof body === 'string' && body.includes(keyFieldName)) {
    if (hiddenKey.test(body)) return { ...sent, body: body.replace(hiddenKey, encoded) }
    const json = tryParseJson(body)?.value
    const value = isObject(json) ? json[keyFieldName] : undefined
    if (isObject(json) && typeof value === 'string' && isAlias(value)) {
      return { ...sent, body: JSON.stringify({ ...json, [keyFieldName]: key }) }
    }
  }
  return { ...sent, headers: { authorization: `Bearer ${key}`, ...headers } }
}
