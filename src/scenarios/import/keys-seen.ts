import { endpointOf } from '../../api/endpoints.ts'
import { isSuccess } from '../../http/messages.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import { choose } from '../../settings/setting.ts'
import { detailOf } from '../../utils/json.ts'
import { scopeObjects } from '../../world/world-format.ts'
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

const settings = resolveSettings('live')

/** Finds what each key could do. */
export function collectKeys(observations: readonly Observation[]): SeenKey[] {
  const accepted = observations.filter(({ key, status }) => key !== null && status !== 401)
  const labels = [...new Set(accepted.map(({ key }) => key as string))]
  return labels.map((label) => {
    const own = accepted.filter(({ key }) => key === label)
    const successes = own.filter(({ status }) => isSuccess(status))
    const refusals = own.filter(({ status }) => status === 403)
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

/** All scopes, unless a request was refused for one: then those of the requests that succeeded. */
export function scopesOf({ successes, refusals }: SeenKey): readonly string[] | null {
  const required = successes.flatMap(({ operation }) => {
    const endpoint = endpointOf(operation)
    return endpoint ? choose(endpoint.scope, settings) : []
  })
  const lacking = refusals.flatMap(
    ({ refusal }) => /required scope '([a-z_]+:(?:read|write))'/.exec(detailOf(refusal))?.[1] ?? [],
  )
  // The live service refuses such operations to keys with scopes.
  if (lacking.length === 0) return required.includes('refused') ? null : ['*']
  const scopes = required.filter((scope) => scope !== 'refused' && scope !== 'any_key')
  if (scopes.length > 0) return [...new Set(scopes)].sort()
  // By some settings, a key without any scope could do everything.
  const others = scopeObjects.map((object) => `${object}:read`)
  return [others.findLast((scope) => !lacking.includes(scope)) ?? 'other:read']
}
