import type { Endpoint } from '../http/endpoint.ts'
import { type Resolvable, resolve } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'
import type { Question } from './question.ts'
import type { Stage } from './stage.ts'

/** What a path names. */
export interface Named {
  readonly project_id: string
  readonly organization_id: string
  readonly id: string
}

/** A row as the API shows it. */
export type Row = { readonly [field: string]: unknown }

/** A request that an endpoint carries out, and what it was made of. */
export interface ProperRequest {
  readonly question: Question
  readonly named: Named
  /** The body; undefined for an endpoint that reads none. */
  readonly sample: Row | undefined
}

/**
 * A request that an endpoint carries out: on the row that says most, with a body that says of a row what it
 * is already.
 */
export async function properRequest(
  endpoint: Endpoint<never>,
  { simulator, keys }: Stage,
): Promise<ProperRequest> {
  const { settings } = simulator.policies
  const { project_id, organization_id } = simulator.defaults
  const place = { project_id: String(project_id), organization_id, id: '' }
  const headers = { authorization: `Bearer ${keys.everything}` }
  const list = endpoint.path.replace(/\/:id(\/.*)?$/, '')
  const response = await simulator.fetch(pathOf(list, place), { headers })
  const { results = [] } = (await response.json()) as { results?: Row[] }
  const [row = {}] = results.toSorted((a, b) => saidBy(b) - saidBy(a))
  const named = { ...place, id: String(row.id) }
  const sample = sampleOf(endpoint, row, settings)
  return {
    named,
    sample,
    question: {
      name: 'answer',
      method: endpoint.method,
      path: pathOf(endpoint.path, named),
      headers: { ...headers, ...(sample && { 'content-type': 'application/json' }) },
      ...(sample && { body: JSON.stringify(sample) }),
    },
  }
}

/** How many fields of a row say something. */
function saidBy(row: Row): number {
  return Object.values(row).filter((value) => value !== null && value !== '').length
}

/** The address of an endpoint. */
export function pathOf(path: string, named: Named): string {
  return path.replace(/:(\w+)/g, (_, name: keyof Named) => named[name])
}

interface FieldNode {
  schema(settings: PolicySettings): object | null
}

interface BodyNode {
  readonly fields: { readonly [name: string]: Resolvable<FieldNode> }
}

/** The fields that a body is read for. */
export function fieldsOf(endpoint: Endpoint<never>, settings: PolicySettings): string[] | null {
  const body = resolve(endpoint.body ?? null, settings) as BodyNode | null
  if (body === null) return null
  return Object.entries(body.fields)
    .filter(([, field]) => resolve(field, settings).schema(settings) !== null)
    .map(([name]) => name)
}

function sampleOf(endpoint: Endpoint<never>, row: Row, settings: PolicySettings): Row | undefined {
  const fields = fieldsOf(endpoint, settings)
  if (fields === null) return undefined
  const given = fields.filter((name) => row[name] !== undefined && row[name] !== null)
  return Object.fromEntries(given.map((name) => [name, row[name]]))
}
