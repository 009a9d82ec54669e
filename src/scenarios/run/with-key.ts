import { keyFieldName } from '../../http/authorize.ts'
import { isAlias } from '../../utils/redaction/aliases.ts'
import { percentEncode } from '../../utils/redaction/secrets.ts'
import { hiddenHeader, hiddenKey, keyInJson } from '../format/hidden-key.ts'
import type { SentRequest } from './target.ts'

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
