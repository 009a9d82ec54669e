import { keyFieldName } from '../../http/authorize.ts'
import { isObject, tryParseJson } from '../../utils/json.ts'
import { isAlias } from '../../utils/redaction/aliases.ts'
import { percentEncode } from '../../utils/redaction/secrets.ts'
import type { SentRequest } from './target.ts'

/** The field of a key in a query or a form, with what a recording has put in place of the key. */
const hiddenKey = new RegExp(`((?:^|[?&])${keyFieldName}=)(replaced-key-\\d+)(?=&|$)`)

/** The header of a request that has its key in another place, too, as a recording hides it. */
const hiddenHeader = /^Bearer (replaced-key-\d+)$/

/** Whether a recording has hidden a key in the query or the body. */
export function hidesKey(url: string, body: string): boolean {
  return hiddenKey.test(url) || hiddenKey.test(body) || isAlias(String(keyInJson(body)))
}

/** Whether a header is that of a key which a recording has hidden. */
export function isHiddenHeader(authorization: unknown): boolean {
  return hiddenHeader.test(String(authorization))
}

/**
 * Adds a key to a request: in the query or the body if a recording has hidden it there, else in the header. A recorded
 * header says that it was in both places.
 */
export function withKey({ url, headers, body, ...request }: SentRequest, key: string): SentRequest {
  const [, inHeader] = hiddenHeader.exec(headers.authorization ?? '') ?? []
  const isOwn = (alias: unknown): boolean => inHeader === undefined || alias === inHeader
  const fill = (text: string): string =>
    text.replace(hiddenKey, (match, start: string, alias: string) =>
      isOwn(alias) ? start + percentEncode(key) : match,
    )
  const filledUrl = fill(url)
  const filledBody = typeof body === 'string' ? fillBody(body, key, fill, isOwn) : body
  const isElsewhere = filledUrl !== url || filledBody !== body
  const authorization = `Bearer ${key}`
  return {
    ...request,
    url: filledUrl,
    headers:
      inHeader !== undefined
        ? { ...headers, authorization }
        : isElsewhere
          ? headers
          : { authorization, ...headers },
    ...(filledBody !== undefined && { body: filledBody }),
  }
}

function fillBody(
  body: string,
  key: string,
  fillForm: (text: string) => string,
  isOwn: (alias: unknown) => boolean,
): string {
  const hidden = keyInJson(body)
  if (typeof hidden !== 'string') return fillForm(body)
  if (!isAlias(hidden) || !isOwn(hidden)) return body
  return JSON.stringify({ ...JSON.parse(body), [keyFieldName]: key })
}

function keyInJson(body: string): unknown {
  const json = body.includes(keyFieldName) ? tryParseJson(body)?.value : undefined
  return isObject(json) ? json[keyFieldName] : undefined
}
