import type { Endpoint, Operation } from '../../src/http/endpoint.ts'
import { choose, type SettingValues } from '../../src/settings/setting.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { type DescribedBody, enabledFields } from './json-schema.ts'

/** A response of the simulator to a valid request. */
export interface OperationExample {
  /** The values of the parameters of paths, some of which the operation has */
  readonly params: Readonly<Record<string, unknown>>
  /** Undefined for a request without a body */
  readonly requestBody?: unknown
  readonly headers: Readonly<Record<string, string>>
  /** A parsed JSON value, or a text of another type; undefined for no body */
  readonly body: unknown
}

export interface ObservedOperation {
  /** Undefined if the settings let no request succeed */
  readonly example: OperationExample | undefined
  /** The ids of the settings that affected the response */
  readonly settings: readonly string[]
}

/** A fixed time, so that the examples are always the same. */
const exampleTime = '2024-06-15T12:00:00Z'

/** Sends one valid request to each operation, by id, in the world `default`. Each finds the world unchanged. */
export async function observeOperations(
  endpoints: readonly Operation[],
  settings: SettingValues,
): Promise<Map<string, ObservedOperation>> {
  const simulator = createSimulator({ world: 'default', clock: exampleTime, settings })
  const key = simulator.keys.issue({ scopes: null })
  const initial = simulator.snapshot()
  const observed = new Map<string, ObservedOperation>()
  for (const endpoint of endpoints) {
    observed.set(endpoint.operation, await observe(endpoint, simulator, key))
    simulator.restore(initial)
  }
  return observed
}

async function observe(
  endpoint: Endpoint,
  simulator: Simulator,
  key: string,
): Promise<ObservedOperation> {
  const send = (method: string, path: string, body?: unknown) => {
    const authorization = `Bearer ${key}`
    if (body === undefined) return simulator.fetch(path, { method, headers: { authorization } })
    const headers = { authorization, 'content-type': 'application/json' }
    return simulator.fetch(path, { method, headers, body: JSON.stringify(body) })
  }
  const settings = simulator.settings.values
  const list = resolvePath(endpoint.path.replace(/\/:id(\/.*)?$/, ''), simulator)
  const row = await fullestRow(await send('GET', list))
  const isCreate = endpoint.method === 'POST' && !endpoint.path.includes(':id')
  // A new plugin must not have the URL of another one.
  const sent = isCreate && row.url ? { ...row, url: `${row.url}-2` } : row
  const requestBody = toRequestBody(endpoint, sent, settings)
  const path = resolvePath(endpoint.path, simulator).replace(':id', String(row.id))
  const response = await send(endpoint.method, path, requestBody)
  // Some settings affect only the response to an invalid path, or to a global plugin of another organization.
  await send(endpoint.method, endpoint.path.replace(/:\w+/g, 'unknown'))
  const { id: organization } = simulator.world.organizations.add()
  const { id } = simulator.world.plugins.add({ organization, is_global: true })
  await send(endpoint.method, resolvePath(endpoint.path, simulator).replace(':id', String(id)))
  const entries = simulator.journal.find({ limit: 3 })
  const isExpected = response.status === choose(endpoint.status, settings)
  const headers = Object.fromEntries(response.headers)
  const params = { ...simulator.defaults, id: row.id }
  const example = { params, requestBody, ...toExample(headers, await response.text()) }
  return {
    example: isExpected ? example : undefined,
    settings: entries.flatMap(({ settings }) => settings.map(({ id }) => id)),
  }
}

export function toExample(
  headers: Readonly<Record<string, string>>,
  text: string,
): Pick<OperationExample, 'headers' | 'body'> {
  const isJson = headers['content-type']?.startsWith('application/json')
  return { headers, body: text === '' ? undefined : isJson ? JSON.parse(text) : text }
}

function resolvePath(path: string, { defaults }: Simulator): string {
  return path
    .replace(':project_id', String(defaults.project_id))
    .replace(':organization_id', defaults.organization_id)
}

type Row = { readonly [field: string]: unknown }

async function fullestRow(page: Response): Promise<Row> {
  const { results = [] } = (await page.json()) as { results?: Row[] }
  const [row = {}] = results.toSorted((a, b) => countValues(b) - countValues(a))
  return row
}

function countValues(row: Row): number {
  return Object.values(row).filter((value) => value !== null && value !== '').length
}

/** A body with the values of an existing row, or undefined if the operation has no body. */
function toRequestBody(endpoint: Endpoint, row: Row, settings: SettingValues): unknown {
  const body = choose(endpoint.body ?? null, settings) as DescribedBody | null
  if (body === null) return undefined
  const fields = enabledFields(body, settings).filter((name) => (row[name] ?? null) !== null)
  return Object.fromEntries(fields.map((name) => [name, row[name]]))
}
