import type { Endpoint } from '../../http/endpoint.ts'
import { type Resolvable, resolveByPolicy } from '../../policies/by-policy.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { createSimulator, type Simulator } from '../../simulator.ts'

/** What a path names. */
export interface PathParams {
  readonly project_id: string
  readonly organization_id: string
  readonly id: string
}

/** A row as the API shows it. */
export type ResourceJson = { readonly [field: string]: unknown }

/** A request that an endpoint carries out, and what it was made of. */
export interface SampleRequest {
  readonly request: ExampleRequest
  readonly named: PathParams
  /** The body; undefined for an endpoint that reads none. */
  readonly sample: ResourceJson | undefined
}

/**
 * A request that an endpoint carries out: on the row that says most, with a body that says of a row what it
 * is already.
 */
export async function createSampleRequest(
  endpoint: Endpoint<never>,
  { simulator, keys }: ExampleWorld,
): Promise<SampleRequest> {
  const { settings } = simulator.policies
  const { project_id, organization_id } = simulator.defaults
  const place = { project_id: String(project_id), organization_id, id: '' }
  const headers = { authorization: `Bearer ${keys.everything}` }
  const list = endpoint.path.replace(/\/:id(\/.*)?$/, '')
  const response = await simulator.fetch(fillPath(list, place), { headers })
  const { results = [] } = (await response.json()) as { results?: ResourceJson[] }
  const [row = {}] = results.toSorted((a, b) => countValues(b) - countValues(a))
  const named = { ...place, id: String(row.id) }
  const sample = sampleBody(endpoint, row, settings)
  return {
    named,
    sample,
    request: {
      name: 'answer',
      method: endpoint.method,
      path: fillPath(endpoint.path, named),
      headers: { ...headers, ...(sample && { 'content-type': 'application/json' }) },
      ...(sample && { body: JSON.stringify(sample) }),
    },
  }
}

/** How many fields of a row say something. */
function countValues(row: ResourceJson): number {
  return Object.values(row).filter((value) => value !== null && value !== '').length
}

/** The address of an endpoint. */
export function fillPath(path: string, named: PathParams): string {
  return path.replace(/:(\w+)/g, (_, name: keyof PathParams) => named[name])
}

interface DescribedField {
  schema(settings: PolicySettings): object | null
}

interface DescribedBody {
  readonly fields: { readonly [name: string]: Resolvable<DescribedField> }
}

/** The fields that a body is read for. */
export function bodyFields(endpoint: Endpoint<never>, settings: PolicySettings): string[] | null {
  const body = resolveByPolicy(endpoint.body ?? null, settings) as DescribedBody | null
  if (body === null) return null
  return Object.entries(body.fields)
    .filter(([, field]) => resolveByPolicy(field, settings).schema(settings) !== null)
    .map(([name]) => name)
}

function sampleBody(
  endpoint: Endpoint<never>,
  row: ResourceJson,
  settings: PolicySettings,
): ResourceJson | undefined {
  const fields = bodyFields(endpoint, settings)
  if (fields === null) return undefined
  const given = fields.filter((name) => row[name] !== undefined && row[name] !== null)
  return Object.fromEntries(given.map((name) => [name, row[name]]))
}

/** A request that an endpoint is asked, to see what it answers. */
export interface ExampleRequest {
  /** What is shown of it: the name of an example. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** What is arranged before it is asked. */
  readonly prepare?: (simulator: Simulator) => void
}

/** What came of a question. */
export interface ExampleResponse {
  readonly name: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A world to ask in, with callers of every kind. */
export interface ExampleWorld {
  readonly simulator: Simulator
  /** Of keys: `everything` may do all there is to do in the world "default". */
  readonly keys: Readonly<
    Record<
      'everything' | 'otherScope' | 'otherProject' | 'otherOrganization' | 'stranger' | 'member',
      string
    >
  >
  /** Organizations of `member`: one without plugins, one that keeps its members from them. */
  readonly organizations: Readonly<Record<'empty' | 'closed', string>>
}

/** When everything is asked: answers are the same each time. */
const exampleTime = '2024-06-15T12:00:00Z'

/** The world "default" and some people more, by the policies that are to be described. */
export function createExampleWorld(settings: PolicySettings): ExampleWorld {
  const simulator = createSimulator({ world: 'default', clock: exampleTime, policies: settings })
  const { keys, world, defaults } = simulator
  const empty = world.organizations.create({ name: 'Empty' }).id
  const closed = world.organizations.create({ name: 'Closed', plugins_access_level: 0 }).id
  const organizations = [defaults.organization_id, empty, closed]
  const member = world.users.create({ organizations }).id
  const stranger = world.users.create({ organizations: [] }).id
  const otherProject = world.projects.create({ organization: empty }).id
  return {
    simulator,
    keys: {
      everything: keys.issue({ scopes: null }),
      otherScope: keys.issue({ scopes: ['user:read'] }),
      otherProject: keys.issue({ projects: [otherProject] }),
      otherOrganization: keys.issue({ organizations: [empty] }),
      stranger: keys.issue({ scopes: null, user: stranger }),
      member: keys.issue({ scopes: null, user: member }),
    },
    organizations: { empty, closed },
  }
}
