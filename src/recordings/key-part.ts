import { parsedJson } from '../parsed-json.ts'
import { keyName } from '../secrets/places.ts'
import type { Place } from './address.ts'
import type { Exchange, ExchangedBody } from './exchange.ts'
import { headerOf, isForm } from './headers.ts'

/** How the key of a request is told in a step, and the request without it. */
export interface KeyPart {
  readonly key: {
    /** The label of a key that is known */
    readonly as?: string
    /** What stands in place of one that nobody knows */
    readonly headers: Readonly<Record<string, string>>
  }
  readonly asked: Place
  readonly body: ExchangedBody | null
}

/** Takes the key out of a request. One without a label stays as it is told: it was no key, or nobody's. */
export function keyPart({ key, request }: Exchange, place: Place): KeyPart {
  const header = headerOf(request.headers, 'authorization')
  const { body } = request
  if (typeof key !== 'string') {
    return { key: { headers: header ? { authorization: header } : {} }, asked: place, body }
  }
  const as = { as: key, headers: {} }
  if (header !== undefined) return { key: as, asked: place, body }
  return {
    key: as,
    asked: withoutKey(place),
    body: body && bodyWithoutKey(body, isForm(request.headers)),
  }
}

function withoutKey({ path, query }: Place): Place {
  if (query === undefined) return { path }
  const { [keyName]: _, ...rest } = query
  return { path, ...(Object.keys(rest).length > 0 && { query: rest }) }
}

function bodyWithoutKey(body: ExchangedBody, isOfForm: boolean): ExchangedBody {
  if (!('text' in body)) return body
  if (isOfForm) {
    const pairs = body.text.split('&').filter((pair) => !new URLSearchParams(pair).has(keyName))
    return { text: pairs.join('&') }
  }
  const value = parsedJson(body.text)?.value
  if (typeof value !== 'object' || value === null || !(keyName in value)) return body
  const { [keyName]: _, ...rest } = value
  return { text: JSON.stringify(rest) }
}
