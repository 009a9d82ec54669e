const world = '/__admin/world'
const reset = '/__admin/reset'

/** A request that a page of another site could send. */
export interface Attack {
  readonly name: string
  readonly method: string
  readonly path: string
  /** `$port` is replaced by the port of the server. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly status: number
  readonly detail: string
}

const hosts = [
  'evil.test:$port',
  'localhost.evil.test',
  '127.0.0.1.evil.test',
  '10.0.0.1:$port',
  'a b',
]
const rebinding = hosts.map(
  (host): Attack => ({
    name: `a page whose name points to this machine (${host})`,
    method: 'GET',
    path: world,
    headers: { host },
    status: 403,
    detail: 'The control API requires the host localhost or 127.0.0.1, got',
  }),
)

const origins = [
  'https://evil.test',
  'http://localhost:1',
  'http://127.0.0.1.evil.test:$port',
  'https://127.0.0.1',
  'null',
]
const foreign = origins.map(
  (origin): Attack => ({
    name: `a page with the origin ${origin}`,
    method: 'POST',
    path: reset,
    headers: { host: '127.0.0.1:$port', origin },
    status: 403,
    detail: 'The control API cannot be accessed from another site, got the origin',
  }),
)

const sites = ['cross-site', 'same-site'].map(
  (site): Attack => ({
    name: `a script element on a ${site} page`,
    method: 'GET',
    path: world,
    headers: { host: '127.0.0.1:$port', 'sec-fetch-site': site },
    status: 403,
    detail: `The control API cannot be accessed from another site, got a ${site} request.`,
  }),
)

const types = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']
const forms = types.map(
  (type): Attack => ({
    name: `a form with the content type ${type}`,
    method: 'PUT',
    path: world,
    headers: { host: '127.0.0.1:$port', 'content-type': type },
    body: '{}',
    status: 415,
    detail: `The control API accepts application/json, got ${type}.`,
  }),
)

export const attacks: readonly Attack[] = [...rebinding, ...foreign, ...sites, ...forms]
