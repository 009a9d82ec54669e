import { detailOf } from '../../utils/json.ts'
import { isSeenRow, type Sighting } from './sighting.ts'

/** What a key was seen to be able to do. */
export interface SeenKey {
  readonly label: string
  /** The scopes of the requests that succeeded */
  readonly scopes: ReadonlySet<string>
  /** The scopes that a refusal named as missing */
  readonly refused: ReadonlySet<string>
  /** Whether it could do what the live service refuses to keys with scopes */
  readonly isUnscoped: boolean
  /** The projects and organizations that it is limited to, if a refusal said that it is limited */
  readonly projects: readonly string[] | null
  readonly organizations: readonly string[] | null
  /** The projects whose requests succeeded, as in their paths */
  readonly usedProjects: ReadonlySet<string>
  /** The projects and organizations of which its user is no member, as in their paths */
  readonly foreign: ReadonlySet<string>
  /** The id of its user, from rows that it created */
  readonly user: number | null
}

/** Collects what each key could do. @param scopeOf the scope that an operation requires */
export function collectKeys(
  sightings: readonly Sighting[],
  scopeOf: (operation: string) => string | null,
): SeenKey[] {
  const keys = new Map<string, Collected>()
  for (const sighting of sightings) {
    if (sighting.key === null || sighting.status === 401) continue
    const key = keys.get(sighting.key) ?? new Collected(sighting.key)
    keys.set(sighting.key, key)
    key.add(sighting, scopeOf)
  }
  return [...keys.values()]
}

class Collected implements SeenKey {
  readonly label: string
  readonly scopes = new Set<string>()
  readonly refused = new Set<string>()
  readonly foreign = new Set<string>()
  readonly #used = { projects: new Set<string>(), organizations: new Set<string>() }
  readonly #limited = { projects: false, organizations: false }
  user: number | null = null
  isUnscoped = false

  constructor(label: string) {
    this.label = label
  }

  get usedProjects(): ReadonlySet<string> {
    return this.#used.projects
  }

  get projects(): readonly string[] | null {
    return this.#limited.projects ? [...this.#used.projects] : null
  }

  get organizations(): readonly string[] | null {
    return this.#limited.organizations ? [...this.#used.organizations] : null
  }

  add(
    { status, operation, params, refusal, rows }: Sighting,
    scopeOf: (operation: string) => string | null,
  ): void {
    const detail = detailOf(refusal)
    if (status >= 200 && status < 300) {
      const scope = operation && scopeOf(operation)
      if (scope === 'refused') this.isUnscoped = true
      else if (scope) this.scopes.add(scope)
      if (params.project_id) this.#used.projects.add(params.project_id)
      if (params.organization_id) this.#used.organizations.add(params.organization_id)
      const author = operation === 'createAnnotation' && rows[0]?.created_by
      if (isSeenRow(author)) this.user ??= Number(author.id)
    }
    if (status !== 403) return
    const scope = /required scope '([a-z_]+:(?:read|write))'/.exec(detail)?.[1]
    if (scope) this.refused.add(scope)
    const isForeign = /^You don't have access to the project|^You do not have permission/.test(
      detail,
    )
    const parent = params.project_id ?? params.organization_id
    if (isForeign && parent !== undefined) this.foreign.add(parent)
    if (/requested project|scoped projects/.test(detail)) this.#limited.projects = true
    if (/requested organization/.test(detail)) this.#limited.organizations = true
  }
}
