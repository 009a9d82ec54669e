import { endpointOf } from '../api/endpoints.ts'
import { isSuccess, parseInteger } from '../http/messages.ts'
import { resolveSettings } from '../settings/resolve.ts'
import { choose } from '../settings/setting.ts'
import { parseUuid } from '../utils/python.ts'
import { uuidFromNumber } from '../utils/seeded-random.ts'
import { type DraftLists, toDraft } from './draft-rows.ts'
import { isSeenRow, type Observation, type SeenRow } from './observation.ts'
import { parentOf } from './rows-seen.ts'

/**
 * Adds the organizations, projects, users and keys that the requests need. Their ids are those of paths and responses.
 *
 * @param lists the rows of the world. Changed in place
 * @returns the organization of everything that no response assigns to another one
 */
export function addAccounts(
  lists: DraftLists,
  observations: readonly Observation[],
  access: Access,
): string {
  const { organizations, projects, users } = lists
  const foreign = new Set([...access.keys.values()].flatMap((key) => [...key.foreign]))
  const home = addOrganizations(lists, observations, access, foreign)
  for (const row of rowsOf('projects', observations)) {
    if (!projects.some(({ id }) => id === row.id))
      projects.push(toDraft('projects', row, { organization: row.organization ?? home }))
  }
  const addProject = (id: number): void => {
    if (projects.some((project) => project.id === id)) return
    const other = foreign.has(String(id)) ? addOrganization(lists) : home
    projects.push({ id, organization: other })
  }
  for (const { params } of observations) {
    const id = parseInteger(params.project_id ?? '')
    if (id !== undefined && !access.missing.has(params.project_id ?? '')) addProject(id)
  }
  if (projects.length === 0) addProject(1)
  for (const { created_by } of rowsOf('annotations', observations)) {
    const isKnown = isUser(created_by) && users.some(({ id }) => id === created_by.id)
    if (!isUser(created_by) || isKnown) continue
    const all = organizations.map(({ id }) => id)
    users.push(toDraft('users', created_by, { organizations: all }))
  }
  const keys = collectKeys(observations)
  for (const key of keys) addKey(lists, key, keys, access)
  return home
}

/** Whether a response shows a user that a world can have. */
function isUser(author: unknown): author is SeenRow {
  return isSeenRow(author) && Number.isInteger(author.id) && Number(author.id) > 0
}

/** A key that the service accepted. */
interface SeenKey {
  readonly label: string
  /** The id of its user, from rows that it created */
  readonly user: number | null
}

function collectKeys(observations: readonly Observation[]): SeenKey[] {
  const accepted = observations.filter(({ key, status }) => key !== null && status !== 401)
  const labels = [...new Set(accepted.map(({ key }) => key as string))]
  return labels.map((label) => {
    const own = accepted.filter(({ key }) => key === label)
    const authors = own.flatMap(({ operation, rows: [row] }) =>
      operation === 'createAnnotation' && isUser(row?.created_by) ? row.created_by.id : [],
    )
    return { label, user: authors[0] === undefined ? null : Number(authors[0]) }
  })
}

function rowsOf(list: Observation['list'], observations: readonly Observation[]): SeenRow[] {
  return observations.flatMap((observation) => (observation.list === list ? observation.rows : []))
}

/** @returns the first organization that a key can use, or else one that is made up */
function addOrganizations(
  lists: DraftLists,
  observations: readonly Observation[],
  access: Access,
  foreign: ReadonlySet<string>,
): string {
  const names = new Map<string, unknown>()
  const learn = (id: unknown, name?: unknown): void => {
    const uuid = typeof id === 'string' ? parseUuid(id) : undefined
    if (uuid !== undefined) names.set(uuid, typeof name === 'string' ? name : names.get(uuid))
  }
  for (const row of rowsOf('projects', observations)) learn(row.organization)
  for (const row of rowsOf('plugins', observations)) {
    learn(row.organization_id, row.organization_name)
  }
  for (const { params } of observations) {
    if (!access.missing.has(params.organization_id ?? '')) learn(params.organization_id)
  }
  const home = [...names.keys()].find((id) => !foreign.has(id))
  if (home === undefined) names.set(uuidFromNumber(1), 'Organization')
  for (const [id, name = `Organization ${id}`] of names) {
    lists.organizations.push({ id, name })
  }
  return home ?? uuidFromNumber(1)
}

/** Adds an organization for what belongs to none of those that responses show. @returns its id */
function addOrganization({ organizations }: DraftLists): string {
  let number = 1
  const isTaken = (id: string): boolean =>
    organizations.some((organization) => organization.id === id)
  while (isTaken(uuidFromNumber(number + 1))) number += 1
  const name = number === 1 ? 'Other organization' : `Other organization ${number}`
  organizations.push({ id: uuidFromNumber(number + 1), name })
  return uuidFromNumber(number + 1)
}

function addKey(
  lists: DraftLists,
  { label, user }: SeenKey,
  keys: readonly SeenKey[],
  access: Access,
): void {
  const organizationOf = (place: string): unknown =>
    parseUuid(place) ?? lists.projects.find(({ id }) => id === parseInteger(place))?.organization
  const { scopes = ['*'], foreign = [] } = access.keys.get(label) ?? {}
  const refused = new Set([...foreign].map(organizationOf))
  lists.keys.push({
    value: freeValue(lists, keys),
    label,
    user: userOf(user, keys, lists, refused),
    scopes,
  })
}

/** A value that selects one key: a request can name a key by its label, too. */
function freeValue({ keys: known }: DraftLists, keys: readonly SeenKey[]): string {
  const names = new Set([...keys.map(({ label }) => label), ...known.map(({ value }) => value)])
  let number = known.length + 1
  while (names.has(`replaced-key-${number}`)) number += 1
  return `replaced-key-${number}`
}

/**
 * The id of the user of a key, who belongs to all organizations but those that refuse the key. Keys of the same
 * organizations share one, unless responses show who they are.
 *
 * @param shown the id that responses show. Null if they show none
 */
function userOf(
  shown: number | null,
  keys: readonly SeenKey[],
  { organizations: all, users }: DraftLists,
  refused: ReadonlySet<unknown>,
): unknown {
  const organizations = all.flatMap(({ id }) => (refused.has(id) ? [] : id))
  const own = users.find(({ id }) => id === shown)
  if (own) own.organizations = organizations
  const isShared = (user: DraftLists['users'][number]): boolean =>
    JSON.stringify(user.organizations) === JSON.stringify(organizations) &&
    !keys.some((key) => key.user === user.id)
  const account = own ?? users.find(isShared)
  if (account) return account.id
  const id = users.reduce((most, user) => Math.max(most, Number(user.id)), 0) + 1
  users.push({
    ...{ id, uuid: uuidFromNumber(id + 100), distinct_id: `user-${id}` },
    ...{ first_name: `User ${id}`, last_name: '', email: `user-${id}@example.com` },
    ...{ is_email_verified: null, hedgehog_config: null, organizations },
  })
  return id
}

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
