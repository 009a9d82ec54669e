import { isSuccess } from '../http/messages.ts'
import { parseInteger, parseUuid } from '../utils/python.ts'
import { uuidFromNumber } from '../utils/seeded-random.ts'
import type { Access } from './access.ts'
import { type DraftLists, toDraft } from './draft-rows.ts'
import { isSeenRow, type Observation, type SeenRow } from './observation.ts'

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
  const keys = collectKeys(observations)
  const foreign = new Set([...access.keys.values()].flatMap((key) => [...(key.foreign ?? [])]))
  const organizationOf = namedOrganizations(observations)
  const home = addOrganizations(
    lists,
    observations,
    access,
    foreign,
    new Set(organizationOf.values()),
  )
  addProjects(lists, observations, access, (id) => {
    return organizationOf.get(id) ?? (foreign.has(String(id)) ? addOrganization(lists) : home)
  })
  const organizations = lists.organizations.map(({ id }) => id)
  for (const { created_by } of rowsOf('annotations', observations)) {
    const isKnown = isSeenRow(created_by) && lists.users.some(({ id }) => id === created_by.id)
    if (isSeenRow(created_by) && !isKnown) {
      lists.users.push(toDraft('users', created_by, { organizations }))
    }
  }
  for (const key of keys) addKey(lists, key, keys, access, home)
  return home
}

/** A key that the service accepted. */
interface SeenKey {
  readonly label: string
  readonly successes: readonly Observation[]
  /** The id of its user, from rows that it created */
  readonly user: number | null
}

function collectKeys(observations: readonly Observation[]): SeenKey[] {
  const accepted = observations.filter(({ key, status }) => key !== null && status !== 401)
  const labels = [...new Set(accepted.map(({ key }) => key as string))]
  return labels.map((label) => {
    const own = accepted.filter(({ key }) => key === label)
    const authors = own.flatMap(({ operation, rows: [row] }) =>
      operation === 'createAnnotation' && isSeenRow(row?.created_by) ? row.created_by.id : [],
    )
    const successes = own.filter(({ status }) => isSuccess(status))
    return { label, successes, user: authors[0] === undefined ? null : Number(authors[0]) }
  })
}

function rowsOf(list: Observation['list'], observations: readonly Observation[]): SeenRow[] {
  return observations.flatMap((observation) => (observation.list === list ? observation.rows : []))
}

/** The organizations of projects, as refusals name them. */
function namedOrganizations(observations: readonly Observation[]): Map<number, string> {
  const named = observations.flatMap(({ params, refusal }): [number, string][] => {
    const [id = ''] =
      /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i.exec(String(refusal?.detail)) ?? []
    const [project, organization] = [parseInteger(params.project_id ?? ''), parseUuid(id)]
    return organization && project !== undefined ? [[project, organization]] : []
  })
  return new Map(named)
}

/** @returns the first organization that a key can use, or else one that is made up */
function addOrganizations(
  lists: DraftLists,
  observations: readonly Observation[],
  access: Access,
  foreign: ReadonlySet<string>,
  named: ReadonlySet<string>,
): string {
  const names = new Map<string, string | null>()
  const learn = (id: unknown, name: unknown = null): void => {
    const uuid = typeof id === 'string' ? parseUuid(id) : undefined
    if (uuid !== undefined)
      names.set(uuid, typeof name === 'string' ? name : (names.get(uuid) ?? null))
  }
  for (const row of rowsOf('projects', observations)) learn(row.organization)
  for (const row of rowsOf('plugins', observations)) {
    learn(row.organization_id, row.organization_name)
  }
  for (const { params } of observations) {
    if (!access.missing.has(params.organization_id ?? '')) learn(params.organization_id)
  }
  for (const id of named) learn(id)
  const home = [...names.keys()].find((id) => !foreign.has(id) && !named.has(id))
  if (home === undefined) names.set(uuidFromNumber(1), 'Organization')
  for (const [id, name] of names) {
    const level = access.levels.get(id)
    lists.organizations.push({
      id,
      name: name ?? `Organization ${id}`,
      ...(level !== undefined && { plugins_access_level: level }),
    })
  }
  return home ?? uuidFromNumber(1)
}

function addProjects(
  { projects }: DraftLists,
  observations: readonly Observation[],
  { missing }: Access,
  organizationOf: (id: number) => string,
): void {
  for (const row of rowsOf('projects', observations)) {
    if (!projects.some(({ id }) => id === row.id)) projects.push(toDraft('projects', row, {}))
  }
  const named = observations.flatMap(({ params: { project_id: id = '' } }) =>
    missing.has(id) ? [] : (parseInteger(id) ?? []),
  )
  for (const id of named) {
    if (!projects.some((project) => project.id === id)) {
      projects.push({ id, organization: organizationOf(id) })
    }
  }
  if (projects.length === 0) projects.push({ id: 1, organization: organizationOf(1) })
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
  key: SeenKey,
  keys: readonly SeenKey[],
  access: Access,
  home: string,
): void {
  const { label } = key
  const organizationOf = (project: string): unknown =>
    lists.projects.find(({ id }) => id === parseInteger(project))?.organization
  const used = key.successes.flatMap(({ params }) => parseInteger(params.project_id ?? '') ?? [])
  const projects = [...new Set(used)]
  const limits = key.successes.flatMap(({ params: { project_id: id, organization_id } }) => {
    const organization = parseUuid(organization_id ?? '') ?? (id && organizationOf(id))
    return organization ? [organization] : []
  })
  const organizations = limits.length > 0 ? [...new Set(limits)] : [home]
  const { scopes = null, limit, foreign = [] } = access.keys.get(label) ?? {}
  const refused = new Set([...foreign].map((id) => parseUuid(id) ?? organizationOf(id)))
  lists.keys.push({
    value: freeValue(lists, keys),
    label,
    user: addUserOf(key, keys, lists, refused),
    scopes,
    ...(limit === 'projects' && { projects }),
    ...(limit === 'organizations' && { organizations }),
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
 */
function addUserOf(
  { user }: SeenKey,
  keys: readonly SeenKey[],
  lists: DraftLists,
  refused: ReadonlySet<unknown>,
): unknown {
  const { users } = lists
  const all = lists.organizations.map(({ id }) => id)
  const organizations = all.filter((id) => !refused.has(id))
  const own = users.find(({ id }) => id === user)
  if (own) own.organizations = organizations
  const account =
    own ??
    users.find(
      ({ id, organizations: others }) =>
        JSON.stringify(others) === JSON.stringify(organizations) &&
        !keys.some((key) => key.user === id),
    )
  return account?.id ?? addUser(lists, { organizations })
}

/** Adds a user of whom only some fields are known. @returns the id */
function addUser({ users }: DraftLists, fields: Readonly<Record<string, unknown>>): number {
  const id = users.reduce((most, user) => Math.max(most, Number(user.id)), 0) + 1
  users.push({
    ...{ id, uuid: uuidFromNumber(id + 100), distinct_id: `user-${id}` },
    ...{ first_name: `User ${id}`, last_name: '', email: `user-${id}@example.com` },
    ...{ is_email_verified: null, hedgehog_config: null, ...fields },
  })
  return id
}
