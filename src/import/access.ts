import { endpointOf } from '../api/endpoints.ts'
import { isSuccess } from '../http/messages.ts'
import { resolveSettings } from '../settings/resolve.ts'
import { choose } from '../settings/setting.ts'
import type { Observation } from './observation.ts'
import { parentOf } from './rows-seen.ts'

/** What a key may do, as far as its requests show it. */
interface KeyAccess {
  readonly scopes: readonly string[]
  /** The places of which its user is no member, as in paths */
  readonly foreign: ReadonlySet<string>
}

/** What the keys may do, and where. */
export interface Access {
  /** By their labels */
  readonly keys: ReadonlyMap<string, KeyAccess>
  /** The projects and organizations that do not exist, as in paths */
  readonly missing: ReadonlySet<string>
}

const documented = resolveSettings('documented')

/**
 * What the keys may do by the statuses of their requests. A key that was refused has the scopes that it used. Where it was
 * refused although it has the scope, its user is no member.
 */
export function accessOf(observations: readonly Observation[]): Access {
  const known = observations.filter(({ key, status }) => key !== null && status !== 401)
  const labels = [...new Set(known.map(({ key }) => key as string))]
  const foundAt = new Set(known.filter(({ status }) => status !== 404).map(parentOf))
  const lost = known.filter(isRefusal).filter(({ status }) => status === 404)
  const keys = labels.map((label) => {
    const own = known.filter(({ key }) => key === label)
    return [label, accessOfKey(label, own)] as const
  })
  return {
    keys: new Map(keys),
    missing: new Set(lost.map(parentOf).filter((place) => place !== '' && !foundAt.has(place))),
  }
}

function accessOfKey(label: string, own: readonly Observation[]): KeyAccess {
  const used = new Set(own.filter(({ status }) => isSuccess(status)).flatMap(scopesOf))
  const refused = own.filter(({ status }) => status === 403)
  const lacksScope = (request: Observation): boolean =>
    scopesOf(request).some((scope) => !used.has(scope))
  const isLimited = refused.some(lacksScope)
  const places = new Set(own.filter(({ status }) => isSuccess(status)).map(parentOf))
  const foreign = refused
    .filter((request) => !lacksScope(request))
    .map(parentOf)
    .filter((place) => !places.has(place))
  return {
    scopes: scopesOfLabel(label) ?? (isLimited && used.size > 0 ? [...used].sort() : ['*']),
    foreign: new Set(foreign),
  }
}

/** The scopes that the label of a key says, whatever its requests show: a setting can explain what they reach. */
function scopesOfLabel(label: string): readonly string[] | null {
  if (label === 'none') return []
  return isScope(label) ? [label] : null
}

/** Whether a key was refused something. A list has no row that could be missing. */
function isRefusal({ status, params }: Observation): boolean {
  return status === 403 || (status === 404 && params.id === undefined)
}

/** The scopes that the documentation says of a request. */
function scopesOf({ operation }: Observation): string[] {
  const endpoint = endpointOf(operation)
  return endpoint ? [choose(endpoint.scope, documented)].flat().filter(isScope) : []
}

function isScope(text: string): boolean {
  return /^[a-z_]+:(?:read|write)$/.test(text)
}
