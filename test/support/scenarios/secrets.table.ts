import { annotationsPath as list } from '../api/paths.ts'

/** A request in which a key stands somewhere. */
export interface RequestWithKey {
  readonly place: string
  readonly method: string
  /** The path and the query */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  /** Each sign a byte */
  readonly body?: string
}

export const json = { 'content-type': 'application/json' }
export const form = { 'content-type': 'application/x-www-form-urlencoded' }
export const parts = { 'content-type': 'multipart/form-data; boundary=cut' }

/** Every sign as an address may have it, of which none has to be. */
export function percentEncode(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16)}`).join('')
}

/** A part of a form, in many parts or few. */
function part(name: string, value: string): string {
  return `--cut\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
}

type Headers = RequestWithKey['headers']

const post = (place: string, body: string, headers: Headers = json): RequestWithKey => {
  return { place, method: 'POST', target: list, headers, body }
}

const get = (place: string, target: string, headers?: Headers): RequestWithKey => {
  return { place, method: 'GET', target, ...(headers && { headers }) }
}

/** Where any key stands that is sent: with the key `phx_all`, where it does not decide who asks. */
export function requestsWithKey(key: string): RequestWithKey[] {
  const inQuery = encodeURIComponent(key)
  const address = encodeURIComponent(`/?personal_api_key=${inQuery}`)
  return [
    get('query', `${list}?personal_api_key=${inQuery}`),
    get('query, as a list', `${list}?personal_api_key[]=${inQuery}`),
    get('query, encoded', `${list}?personal%5Fapi%5Fkey=${percentEncode(key)}&limit=1`),
    get('query, within another address', `${list}?search=${address}`),
    get('query that is answered in a link', `${list}?limit=1&personal_api_key=${inQuery}`),
    get('path of nothing', `/api/nothing/?personal_api_key=${inQuery}`),
    post('JSON', JSON.stringify({ personal_api_key: key, content: 'x' })),
    post('JSON, as a list', JSON.stringify({ personal_api_key: ['x', [key]] })),
    post('JSON, as an object', JSON.stringify({ personal_api_key: { value: key } })),
    post(
      'JSON, further inside',
      JSON.stringify({ content: 'x', a: [{ 'personal_api_key[]': key }] }),
    ),
    post('JSON, encoded', `{"personal\\u005fapi_key":"${key}"}`),
    post('JSON with the name twice', `{"personal_api_key":"${key}","personal_api_key":"phx_all"}`),
    post('JSON in a text', JSON.stringify({ content: `{"personal_api_key": "${key}"}` })),
    post('an address in a text', JSON.stringify({ content: `curl '/?personal_api_key=${key}'` })),
    post('form', `content=x&personal_api_key=${inQuery}`, form),
    post('form, as a list', `content=x&personal_api_key%5B%5D=${inQuery}`, form),
    get('header', list, { authorization: `Bearer ${key}` }),
    get('header, without a scheme', list, { authorization: `${key} and more` }),
    get('other headers', list, {
      cookie: `a=${key}; b=c`,
      'x-api-key': key,
      referer: `http://a/?personal_api_key=${inQuery}`,
    }),
  ]
}

/** Where a key is seen by what it looks like: also in a body that is neither JSON nor a form. */
function requestsMentioningKey(key: string): RequestWithKey[] {
  const [first, last] = [part('personal_api_key', key), `${part('content', 'x')}--cut--\r\n`]
  return [
    post('JSON that ends too soon', `{"personal_api_key": ["x", "${key}"`),
    post('JSON with a word that is none', `{"personal_api_key": "${key}", "content": None}`),
    post('form of many parts', `${first}${last}`, parts),
    post('form of many parts, with bytes', `${part('file', '\xff')}${first}--cut--\r\n`, parts),
    post('form that is said to be JSON', first),
    post('content', JSON.stringify({ content: `Not ${key}!` })),
    post('name', JSON.stringify({ [key]: [1] })),
    post('broken text', `{"content": "Key:\\n${key}`),
    get('path', `/api/nothing/${key}/`),
    get('path, encoded', `/api/nothing/a%2F${percentEncode(key)}/`),
    get('search', `${list}?search=${key}`),
    get('header', list, { 'x-note': `of ${key}` }),
    get('accept', list, { accept: `application/json; of=${key}` }),
    post('bytes', `\xff ${key}`),
  ]
}

/** What looks like a key of the service, and what does not. */
export const serviceLikeKey = 'phx_canary0123456789abcdef'
export const opaqueKey = 'canary-with-a-key-of-its-own'

/** All requests with a key that nobody knows. */
export const requestsWithUnknownKeys: readonly RequestWithKey[] = [
  ...requestsWithKey(serviceLikeKey),
  ...requestsWithKey(opaqueKey),
  ...requestsMentioningKey(serviceLikeKey),
]

/** In which forms one of those keys stands in a text, however it is written there. */
export function findKeys(text: string): string[] {
  const bytes = [...text.matchAll(/[A-Za-z0-9+/]{40,}={0,2}/g)].map(([match]) => atobOrNone(match))
  const all = [text, ...bytes].join('\n')
  return [serviceLikeKey, opaqueKey]
    .flatMap((key) => [key, percentEncode(key), key.slice(6)])
    .filter((form) => all.toLowerCase().includes(form.toLowerCase()))
}

function atobOrNone(text: string): string {
  try {
    return atob(text)
  } catch {
    return ''
  }
}
