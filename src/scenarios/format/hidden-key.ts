import { keyFieldName } from '../../http/authorize.ts'
import { isObject, tryParseJson } from '../../utils/json.ts'
import { isAlias } from '../../utils/redaction/aliases.ts'

/** The field of a key in a query or a form, with what a recording has put in place of the key. */
export const hiddenKey: RegExp = new RegExp(
  `((?:^|[?&])${keyFieldName}=)(replaced-key-\\d+)(?=&|$)`,
)

/** The header of a request that has its key in another place, too, as a recording hides it. */
export const hiddenHeader: RegExp = /^Bearer (replaced-key-\d+)$/

/** Whether a recording has hidden a key in the query or the body. */
export function hidesKey(url: string, body: string): boolean {
  return hiddenKey.test(url) || hiddenKey.test(body) || isAlias(String(keyInJson(body)))
}

/** Whether a header is that of a key which a recording has hidden. */
export function isHiddenHeader(authorization: unknown): boolean {
  return hiddenHeader.test(String(authorization))
}

/** The key in a JSON body. Undefined without one. */
export function keyInJson(body: string): unknown {
  const json = body.includes(keyFieldName) ? tryParseJson(body)?.value : undefined
  return isObject(json) ? json[keyFieldName] : undefined
}
