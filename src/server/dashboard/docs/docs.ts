import { readToken } from '../kit/token.ts'

/** The URLs are relative to this page, since a reverse proxy may serve everything below a path prefix. */
const specs = {
  api: { name: '/openapi.json', url: '../../openapi.json', scheme: 'personalApiKey' },
  control: { name: '/__admin/openapi.json', url: '../openapi.json', scheme: 'token' },
} as const

interface Explorer extends HTMLElement {
  loadSpec(spec: object): Promise<void>
  setAuthenticationConfiguration(scheme: string, configuration: { token: string }): Promise<void>
}

/** Shows a document, with a key or the token filled in, so that operations can be tried out at once. */
async function showSpec(id: keyof typeof specs, explorer: Explorer): Promise<void> {
  const { name, url, scheme } = specs[id]
  const spec = await fetchJson<OpenApiSpec>(url, name)
  await customElements.whenDefined('openapi-explorer')
  const ids = id === 'api' ? await fetchFirstIds() : {}
  await explorer.loadSpec(withDefaultIds(withAbsoluteUrls(spec), ids))
  const token = id === 'control' ? readToken(sessionStorage) : await fetchFirstKey()
  if (token) await explorer.setAuthenticationConfiguration(scheme, { token })
}

interface OpenApiSpec {
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly schema: object }[]
}

/** The explorer would resolve a server URL such as `/` against its own page. */
function withAbsoluteUrls(spec: OpenApiSpec): OpenApiSpec {
  const base = new URL('../..', location.href).href
  const servers = spec.servers.map((server) => ({
    ...server,
    url: `${base}${server.url.replace(/^\//, '')}`.replace(/\/$/, ''),
  }))
  return { ...spec, servers }
}

/** Fills in parameters of paths, so that operations can be tried out without typing. The explorer reads `default`. */
function withDefaultIds(spec: OpenApiSpec, ids: Readonly<Record<string, unknown>>): OpenApiSpec {
  const withDefaults = ({ parameters, ...operation }: Operation): Operation => ({
    ...operation,
    ...(parameters && {
      parameters: parameters.map((parameter) =>
        ids[parameter.name] === undefined
          ? parameter
          : { ...parameter, schema: { ...parameter.schema, default: ids[parameter.name] } },
      ),
    }),
  })
  const paths = Object.entries(spec.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [method, withDefaults(operation)]),
    ),
  ])
  return { ...spec, paths: Object.fromEntries(paths) }
}

/** The ids of the first project and the first organization of the world. */
async function fetchFirstIds(): Promise<Record<string, unknown>> {
  type Page = { readonly rows: readonly { readonly id: unknown }[] }
  const first = async (list: string) => {
    const url = `../world/${list}?limit=1`
    const { rows } = await fetchJson<Page>(url, list).catch((): Page => ({ rows: [] }))
    return rows[0]?.id
  }
  return { project_id: await first('projects'), organization_id: await first('organizations') }
}

/** The first key of a world usually has the most scopes. */
async function fetchFirstKey(): Promise<string | undefined> {
  type Keys = readonly { readonly value: string }[]
  const keys = await fetchJson<Keys>('../keys', '/__admin/keys').catch(() => [])
  return keys[0]?.value
}

async function fetchJson<T>(url: string, name: string): Promise<T> {
  const token = readToken(sessionStorage)
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  const response = await fetch(url, { headers })
  if (response.ok) return response.json()
  throw new Error(
    response.status === 401
      ? 'This server requires a token. Enter it in the dashboard, then reload this page.'
      : `Failed to load ${name}: the server responded with ${response.status}.`,
  )
}

const selected = new URLSearchParams(location.search).get('of') === 'control' ? 'control' : 'api'
document.querySelector(`nav a[href="?of=${selected}"]`)?.setAttribute('aria-current', 'page')
const explorer = document.querySelector('openapi-explorer') as Explorer
showSpec(selected, explorer).catch((error: Error) => {
  const status = document.querySelector('[role=status]')
  if (status) status.textContent = error.message
})
