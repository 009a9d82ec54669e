import { tryParseJson } from '../parsed-json.ts'
import { keyFieldName } from '../secrets/places.ts'
import type { StepAddress } from './address.ts'
import type { Exchange, ExchangedBody } from './exchange.ts'
import { findHeader, isFormBody } from './headers.ts'

/** How the key of a request is told in a step, and the request without it. */
export interface SeparatedKey {
  readonly key: {
    /** The label of a key that is known */
    readonly as?: string
    /** What stands in place of one that nobody knows */
    readonly headers: Readonly<Record<string, string>>
  }
  readonly address: StepAddress
  readonly body: ExchangedBody | null
}

/** Takes the key out of a request. One without a label stays as it is told: it was no key, or nobody's. */
export function separateKey({ key, request }: Exchange, place: StepAddress): SeparatedKey {
  const header = findHeader(request.headers, 'authorization')
  const { body } = request
  if (typeof key !== 'string') {
    return { key: { headers: header ? { authorization: header } : {} }, address: place, body }
  }
  const as = { as: key, headers: {} }
  if (header !== undefined) return { key: as, address: place, body }
  return {
    key: as,
    address: withoutKey(place),
    body: body && bodyWithoutKey(body, isFormBody(request.headers)),
  }
}

function withoutKey({ path, query }: StepAddress): StepAddress {
  if (query === undefined) return { path }
  const { [keyFieldName]: _, ...rest } = query
  return { path, ...(Object.keys(rest).length > 0 && { query: rest }) }
}

function bodyWithoutKey(body: ExchangedBody, isOfForm: boolean): ExchangedBody {
  if (!('text' in body)) return body
  if (isOfForm) {
    const pairs = body.text
      .split('&')
      .filter((pair) => !new URLSearchParams(pair).has(keyFieldName))
    return { text: pairs.join('&') }
  }
  const value = tryParseJson(body.text)?.value
  if (typeof value !== 'object' || value === null || !(keyFieldName in value)) return body
  const { [keyFieldName]: _, ...rest } = value
  return { text: JSON.stringify(rest) }
}
