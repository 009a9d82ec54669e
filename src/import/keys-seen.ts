import { endpointOf } from '../api/endpoints.ts'
import { isSuccess } from '../http/messages.ts'
import { resolveSettings } from '../settings/resolve.ts'
import { choose } from '../settings/setting.ts'
import { detailOf } from '../utils/json.ts'
import { scopeObjects } from '../world/world-format.ts'
import { isSeenRow, type Observation } from './observation.ts'

/** What a key was seen to be able to do. Projects and organizations are named as in paths. */
export interface SeenKey {
  readonly label: string
  /** Its requests that succeeded, and those that were refused */
  readonly successes: readonly Observation[]
  readonly refusals: readonly Observation[]
  /** The projects and organizations of which its user is no member */
  readonly foreign: ReadonlySet<string>
  /** The id of its user, from rows that it created */
  readonly user: number | null
}

const settings = resolveSettings('documented')

/** Finds what each key could do. */
export function collectKeys(observations: readonly Observation[]): SeenKey[] {
  const accepted = observations.filter(({ key, status }) => key !== null && status !== 401)
  const labels = [...new Set(accepted.map(({ key }) => key as string))]
  return labels.map((label) => {
    const own = accepted.filter(({ key }) => key === label)
    const successes = own.filter(({ status }) => isSuccess(status))
    // A list has no row that could be missing.
    const refusals = own.filter(
      ({ status, verb }) => status === 403 || (status === 404 && verb === 'list'),
    )
    const authors = own.flatMap(({ operation, rows: [row] }) =>
      operation === 'createAnnotation' && isSeenRow(row?.created_by) ? row.created_by.id : [],
    )
    const foreign = refusals.flatMap(({ params, refusal }) =>
      /^You don't have access to the project|^You do not have permission/.test(detailOf(refusal))
        ? (params.project_id ?? params.organization_id ?? [])
        : [],
    )
    const user = authors[0] === undefined ? null : Number(authors[0])
    return { label, successes, refusals, foreign: new Set(foreign), user }
  })
}

/** Whether a refusal of a key has these words. */
export function isRefused({ refusals }: SeenKey, words: RegExp): boolean {
  return refusals.some(({ refusal }) => words.test(detailOf(refusal)))
}

/**
 * All scopes, unless a request was refused that another key could send, or for its scope: then those of the requests that
 * succeeded. Null for a key without scopes, if no scopes explain what it could do.
 */
export function scopesOf(key: SeenKey, keys: readonly SeenKey[]): readonly string[] | null {
  const { label, successes, refusals } = key
  const used = scopesUsed(key)
  if (isScope(label) && used.every((scope) => scope === label)) return [label]
  const others = keys.filter((other) => other !== key)
  const lacking = refusals.flatMap((refusal) => lackingScope(refusal, others))
  if (lacking.every((scope) => used.includes(scope))) {
    const isOld = successes.some(({ operation }) =>
      others.some((other) => isRefusedDespiteScope(other, operation)),
    )
    return isOld ? null : ['*']
  }
  if (used.length > 0) return used
  // By some settings, a key without any scope could do everything.
  const objects = scopeObjects.map((object) => `${object}:read`)
  return [objects.findLast((scope) => !lacking.includes(scope)) ?? 'other:read']
}

/** The scope that the documentation says of an operation. */
function scopeOf(operation: Observation['operation']): string | null {
  const endpoint = endpointOf(operation)
  const scope = endpoint ? choose(endpoint.scope, settings) : null
  return scope !== null && isScope(scope) ? scope : null
}

function isScope(text: string): boolean {
  return /^[a-z_]+:(?:read|write)$/.test(text)
}

/** Whether a request was refused for its project or organization, as the service says it. */
function isOfPlace(detail: string): boolean {
  return /^(?:Project|Organization) not found|requested (?:project|organization)|scoped projects|^You do(?:n't| not) have|access level/.test(
    detail,
  )
}

/** The scopes of the requests of a key that succeeded. */
function scopesUsed({ successes }: SeenKey): string[] {
  return [...new Set(successes.flatMap(({ operation }) => scopeOf(operation) ?? []))].sort()
}

/** The scope for which a request was refused: as the refusal says, or since another key could send it. */
function lackingScope(refusal: Observation, others: readonly SeenKey[]): string[] {
  const detail = detailOf(refusal.refusal)
  const [, named] = /required scope '([a-z_]+:(?:read|write))'/.exec(detail) ?? []
  if (named !== undefined) return [named]
  const path = JSON.stringify(refusal.params)
  const isOfKey = others.some(({ successes }) =>
    successes.some(
      ({ operation, params }) => operation === refusal.operation && JSON.stringify(params) === path,
    ),
  )
  return isOfKey && !isOfPlace(detail)
    ? [scopeOf(refusal.operation)].filter((scope) => scope !== null)
    : []
}

/** Whether a key was refused an operation, although it has the scope that the documentation says. */
function isRefusedDespiteScope(key: SeenKey, operation: Observation['operation']): boolean {
  const scope = scopeOf(operation)
  const wasRefused = key.refusals.some((refusal) => refusal.operation === operation)
  const hasScope = key.successes.some(
    (success) => success.operation !== operation && scopeOf(success.operation) === scope,
  )
  return scope !== null && wasRefused && (hasScope || key.label === scope)
}
