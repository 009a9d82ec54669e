import { accessLevels } from '../../api/plugins/plugins.ts'
import { resolveByPolicy } from '../../policies/by-policy.ts'
import { keyFieldName } from '../../utils/redaction/secrets.ts'
import { replicaOfKey } from '../../world/replica.ts'
import type { KeyRow } from '../../world/rows.ts'
import { quote, type Refusal } from './refusal.ts'

const otherScheme = /^(?:basic|digest|token|oauth|api-?key|jwt|bearer):?(?=\s|$)/i
const otherHeaders = ['x-api-key', 'api-key', 'apikey', 'x-auth-token']

/** Explains why a request has no key. */
export function explainMissingKey(refusal: Refusal): string {
  const authorization = refusal.header('authorization')
  if (authorization === '') return `the request has no Authorization header${otherPlace(refusal)}`
  if (/^Bearer$/.test(authorization)) return 'the Authorization header has no key after `Bearer`'
  if (/^Bearer\s/.test(authorization)) return 'the key in the Authorization header is too short'
  const [scheme] = otherScheme.exec(authorization) ?? []
  if (scheme) return `the Authorization header has ${quote(scheme)} instead of \`Bearer\``
  const key = refusal.tables.keys.get(authorization)
  return `the header has no \`Bearer \`${key ? ` before ${refusal.keyName(key.value)}` : ''}`
}

function otherPlace({ record, query, body }: Refusal): string {
  const header = otherHeaders.find((name) => record.requestHeaders.get(name))
  const places = [
    ...(header === undefined ? [] : [`header ${header}`]),
    ...(query.has(keyFieldName) ? ['query'] : []),
    ...(Object.hasOwn(Object(body), keyFieldName) ? ['body'] : []),
  ]
  return places.length === 0 ? '' : `, and the key in the ${places[0]} is not read`
}

/** Words that stand for a value that a program does not have. */
const missingValues = ['undefined', 'null', 'None', 'nil', '[object Object]']

/** Explains why a key, or the token of a project, is not accepted. */
export function explainWrongKey(refusal: Refusal): string {
  const { key, tables, keyName, failure, source } = refusal
  if (!key || !failure.detail.startsWith('Personal API key')) {
    return 'no project has the token that the request contains'
  }
  const { value, location } = key
  const place = location === 'Authorization header' ? '' : ` (in the ${location})`
  if (tables.keys.get(value)) return `the user of ${keyName(value)} is inactive`
  if (missingValues.includes(value)) return `the key is the word ${quote(value)}${place}`
  const inner = value.replace(/^(?:Bearer\s+|["'<]+)|["'>]+$/gi, '')
  if (tables.keys.get(inner)) return `there is text around ${keyName(inner)}${place}`
  if (refusal.wasRemoved('keys', value)) return `${keyName(value)} was revoked`
  return `no key matches ${startOf(value)}${place}${otherOwner(value, source)}`
}

function otherOwner(value: string, { isTakenElsewhere, replica }: Refusal['source']): string {
  const number = replica && replicaOfKey(value)
  if (number === null) return isTakenElsewhere(value) ? '; another sandbox has it' : ''
  return number === replica?.number
    ? `; replica ${number} issued it in an earlier run, or its sandbox has ended`
    : `; replica ${number} issued it, and this is replica ${replica?.number}`
}

/** At most the first five characters of an unknown key, and at most half of it. */
function startOf(value: string): string {
  const characters = [...value]
  return `${characters.slice(0, Math.min(5, characters.length / 2)).join('')}…`
}

/** Explains what a key, its user or its organization lacks. */
export function explainPermission(refusal: Refusal): string | undefined {
  const { failure, record, route, tables, keyName, pathMethods } = refusal
  const { detail } = failure
  const key = tables.keys.get(refusal.key?.value ?? '')
  if (!key) return undefined
  const name = keyName(key.value)
  if (detail.startsWith('This action')) {
    return route.endpoint.method === '*'
      ? `this path has no ${record.method}, only ${pathMethods} (a key with scopes gets no 405)`
      : `only keys without a list of scopes are accepted, and ${name} ${describeScopes(key)}`
  }
  if (detail.startsWith('API key missing')) {
    const scope = resolveByPolicy(route.endpoint.scope, record.settings)
    return `${name} lacks the scope ${scope} (it ${describeScopes(key)})`
  }
  if (detail.startsWith('API key')) return `${name} is limited to ${describeLimits(key, refusal)}`
  const context = refusal.findContext()
  const { project_id, id } = route.params
  if (!context) {
    const place =
      project_id === undefined ? 'the organization' : `the organization of project ${project_id}`
    return `the user of ${name} is not a member of ${place}`
  }
  if (/level|global|not available/.test(detail)) {
    const level = context.organization?.plugins_access_level
    const { configure, install, root } = accessLevels
    return `the plugins_access_level of the organization is ${level}; reading requires ${configure}, writing ${install}, is_global ${root}`
  }
  return id === undefined ? undefined : `plugin ${id} belongs to another organization`
}

function describeScopes({ scopes }: KeyRow): string {
  if (scopes === null || scopes.length === 0) return 'has no scopes'
  return scopes.includes('*') ? 'has all scopes' : `has ${scopes.join(', ')}`
}

function describeLimits({ projects, organizations }: KeyRow, { tables, route }: Refusal): string {
  const limits = [
    ...projects.map((id) => `project ${id}`),
    ...organizations.map((id) => `organization ${tables.organizations.get(id)?.name ?? id}`),
  ]
  const hasNoProject = projects.length > 0 && route.params.project_id === undefined
  return `${limits.join(', ')}${hasNoProject ? ', and this path has no project' : ''}`
}
