import type { ApiRequest, Meaning } from '../request.ts'
import { malformed, tooLarge, wrongMediaType } from './answers.ts'

const formType = 'application/x-www-form-urlencoded'

/** The most characters of a body. The model sends nothing that is too long for `live`. */
const documentedLimit = 1_048_576

export const isTooLarge = ({ body }: ApiRequest, live: boolean): boolean =>
  !live && body !== null && body.text.length > documentedLimit

/** What the body means. Only `live` accepts forms, wildcards as a type, and numbers that JSON does not have. */
export function parseBody(request: ApiRequest, live: boolean): Meaning {
  const { body } = request
  if (body === null || body.text === '') return { kind: 'none' }
  if (isTooLarge(request, live)) throw tooLarge()
  const types = ['application/json', ...(live ? [formType, '*/*', 'application/*'] : [])]
  if (!types.includes(body.contentType)) throw wrongMediaType(body.contentType)
  if (body.means.kind === 'malformed') throw malformed(body.means.message)
  if (body.constant !== undefined && !live) {
    throw malformed(`Out of range float values are not JSON compliant: '${body.constant}'`)
  }
  return body.means
}
