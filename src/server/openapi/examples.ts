import type { OperationExample } from '../../adapters/openapi/document.ts'
import { type DescribedBody, enabledFields } from '../../adapters/openapi/json-schema.ts'
import { toResponseExample } from '../../adapters/openapi/responses.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { resolveByPolicy } from '../../policies/by-policy.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { createSimulator, type Simulator } from '../../simulator.ts'

export interface ObservedOperation {
  /** Undefined if the settings let no request succeed */
  readonly example: OperationExample | undefined
  /** The ids of the policies that affected the response */
  readonly policies: readonly string[]
}

/** A fixed time, so that the examples are always the same. */
const exampleTime = '2024-06-15T12:00:00Z'

/** Sends one valid request to each operation, by id, in the world `default`. Each finds the world unchanged. */
export async function observeOperations(
  endpoints: readonly Endpoint<never>[],
  settings: PolicySettings,
): Promise<Map<string, ObservedOperation>> {
  const simulator = createSimulator({ world: 'default', clock: exampleTime, policies: settings })
  const key = simulator.keys.issue({ scopes: null })
  const initial = simulator.snapshot()
  const observed = new Map<string, ObservedOperation>()
  for (const endpoint of endpoints) {
    observed.set(endpoint.id, await observe(endpoint, simulator, key))
    simulator.restore(initial)
  }
  return observed
}

async function observe(
  endpoint: Endpoint<never>,
  simulator: Simulator,
  key: string,
): Promise<ObservedOperation> {
  const send = (method: string, path: string, body?: unknown) =>
    simulator.fetch(path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const { settings } = simulator.policies
  const list = resolvePath(endpoint.path.replace(/\/:id(\/.*)?$/, ''), simulator)
  const row = await fullestRow(await send('GET', list))
  const requestBody = toRequestBody(endpoint, row, settings)
  // A new plugin must not have the URL of another one.
  if (endpoint.method === 'POST' && !endpoint.path.includes(':id')) {
    await send('DELETE', `${list}/${row.id}`)
  }
  const path = resolvePath(endpoint.path, simulator).replace(':id', String(row.id))
  const response = await send(endpoint.method, path, requestBody)
  const isExpected = response.status === resolveByPolicy(endpoint.status, settings)
  // Some policies affect only the response to an invalid path.
  await send(endpoint.method, endpoint.path.replace(/:\w+/g, 'unknown'))
  const entries = simulator.journal.find({ limit: 2 })
  const headers = Object.fromEntries(response.headers)
  const example = { requestBody, response: toResponseExample(headers, await response.text()) }
  return {
    example: isExpected ? example : undefined,
    policies: entries.flatMap(({ policies }) => policies.map(({ id }) => id)),
  }
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
function toRequestBody(endpoint: Endpoint<never>, row: Row, settings: PolicySettings): unknown {
  const body = resolveByPolicy(endpoint.body ?? null, settings) as DescribedBody | null
  if (body === null) return undefined
  const fields = enabledFields(body, settings).filter((name) => (row[name] ?? null) !== null)
  return Object.fromEntries(fields.map((name) => [name, row[name]]))
}
