import { detailOf, isObject } from '../../utils/json.ts'
import { parseInteger, parseUuid } from '../../utils/python/text.ts'
import { uuidFromNumber } from '../../utils/seeded-random.ts'
import { scopeObjects } from '../../world/world-format.ts'
import type { Assumption } from './assumption.ts'
import { type DraftLists, toDraft } from './draft-rows.ts'
import type { SeenKey } from './keys-seen.ts'
import { isSeenRow, itemsOf, type SeenRow, type Sighting } from './sighting.ts'

/** The organizations, projects, users and keys that the requests need. Their ids are those of paths and responses. */
export class AccountsSeen {
  readonly assumptions: Assumption[] = []
  /** The organization of everything that no response assigns to another one */
  home = ''
  readonly #lists: DraftLists
  readonly #sightings: readonly Sighting[]
  readonly #keys: readonly SeenKey[]
  /** The organizations of projects, as refusals name them */
  readonly #organizationOf = new Map<number, string>()
  /** How many organizations were made up for projects of others */
  #others = 0

  /** @param lists the rows of the world. Changed in place */
  constructor(lists: DraftLists, sightings: readonly Sighting[], keys: readonly SeenKey[]) {
    this.#lists = lists
    this.#sightings = sightings
    this.#keys = keys
  }

  add(): void {
    this.#addOrganizations()
    this.#setAccessLevels()
    this.#addProjects()
    this.#addUsers()
    for (const key of this.#keys) this.#addKey(key)
  }

  #assume(field: string, value: unknown, because: string): void {
    this.assumptions.push({ field, value, because })
  }

  #rowsOf(operation: RegExp): SeenRow[] {
    return this.#sightings.flatMap((sighting) =>
      operation.test(sighting.operation ?? '') ? sighting.rows : [],
    )
  }

  #addOrganizations(): void {
    const names = new Map<string, string | null>()
    const learn = (id: unknown, name: unknown = null): string | undefined => {
      const uuid = typeof id === 'string' ? parseUuid(id) : undefined
      if (uuid !== undefined)
        names.set(uuid, typeof name === 'string' ? name : (names.get(uuid) ?? null))
      return uuid
    }
    for (const row of this.#rowsOf(/^listProjects$/)) learn(row.organization)
    const exporting = this.#sightings
      .filter(({ operation }) => operation === 'listExportsUnsubscribeConfigs')
      .flatMap(({ other }) => itemsOf(other))
      .map((config) => (isObject(config) && isObject(config.plugin_info) ? config.plugin_info : {}))
    for (const row of [...this.#rowsOf(/Plugin|Exports/), ...exporting]) {
      learn(row.organization_id, row.organization_name)
    }
    for (const { params, status, refusal } of this.#sightings) {
      if (!isParentMissing(status, refusal)) learn(params.organization_id)
      const named = /requested organization: ID (\S+?)\.?$/.exec(detailOf(refusal))?.[1]
      const project = parseInteger(params.project_id ?? '')
      const organization = learn(named)
      if (organization && project !== undefined) this.#organizationOf.set(project, organization)
    }
    const foreign = new Set(this.#keys.flatMap((key) => [...key.foreign]))
    const taken = new Set(this.#organizationOf.values())
    this.home = [...names.keys()].find((id) => !foreign.has(id) && !taken.has(id)) ?? ''
    if (this.home === '') {
      this.home = uuidFromNumber(1)
      names.set(this.home, 'Organization')
      const because = 'No response shows the organization of the projects.'
      this.#assume(`organizations[id=${this.home}]`, this.home, because)
    }
    for (const [id, name] of names) {
      const known = name ?? `Organization ${id}`
      if (name === null) {
        const because = 'No response shows the name of the organization.'
        this.#assume(`organizations[id=${id}].name`, known, because)
      }
      this.#lists.organizations.push({ id, name: known })
    }
  }

  #setAccessLevels(): void {
    for (const { params, status, refusal, method } of this.#sightings) {
      if (status !== 403 || !/access level is insufficient/.test(detailOf(refusal))) continue
      const id = parseUuid(params.organization_id ?? '')
      const row = this.#lists.organizations.find((each) => each.id === id)
      const level = method === 'GET' ? 0 : 3
      if (row) row.plugins_access_level = Math.min(level, Number(row.plugins_access_level ?? level))
    }
  }

  #addProjects(): void {
    const { projects } = this.#lists
    for (const row of this.#rowsOf(/^listProjects$/)) {
      if (!projects.some(({ id }) => id === row.id)) projects.push(toDraft('projects', row, {}))
    }
    const foreign = new Set(this.#keys.flatMap((key) => [...key.foreign]))
    for (const { params, status, refusal } of this.#sightings) {
      const id = parseInteger(params.project_id ?? '')
      if (id === undefined || isParentMissing(status, refusal)) continue
      if (projects.some((project) => project.id === id)) continue
      const known = this.#organizationOf.get(id)
      const organization =
        known ?? (foreign.has(String(id)) ? this.#otherOrganization() : this.home)
      projects.push({ id, organization })
    }
    if (projects.length === 0) projects.push({ id: 1, organization: this.home })
  }

  /** An organization of its own for a project that a key could not use. */
  #otherOrganization(): string {
    this.#others += 1
    const id = otherOrganization(this.#lists, this.#others)
    const because = 'No response shows the organization of the projects that a key could not use.'
    this.#assume(`organizations[id=${id}]`, id, because)
    return id
  }

  #addUsers(): void {
    const { users } = this.#lists
    const organizations = this.#lists.organizations.map(({ id }) => id)
    for (const { created_by } of this.#rowsOf(/Annotation/)) {
      if (!isSeenRow(created_by) || users.some(({ id }) => id === created_by.id)) continue
      users.push(toDraft('users', created_by, { organizations }))
    }
  }

  #addKey(key: SeenKey): void {
    const path = `keys[label=${key.label}]`
    const isRefused = key.refused.size > 0
    const scopes = isRefused ? knownScopes(key) : key.isUnscoped ? null : ['*']
    if (!isRefused) {
      this.#assume(
        `${path}.scopes`,
        scopes,
        'No request with the key was refused for a missing scope.',
      )
    }
    const projects = (key.projects ?? []).flatMap((id) => parseInteger(id) ?? [])
    const organizations = this.#organizationsOf(key)
    this.#lists.keys.push({
      value: this.#freeValue(),
      label: key.label,
      user: this.#userOf(key, path),
      scopes,
      ...(projects.length > 0 && { projects }),
      ...(organizations.length > 0 && { organizations }),
    })
  }

  /** A value that selects one key: a request can name a key by its label, too. */
  #freeValue(): string {
    const labels = this.#keys.map(({ label }) => label)
    const names = new Set([...labels, ...this.#lists.keys.map(({ value }) => value)])
    let number = this.#lists.keys.length + 1
    while (names.has(`key-${number}-of-a-world`)) number += 1
    return `key-${number}-of-a-world`
  }

  /** The organizations that a key is limited to: those of the projects that it used, too. */
  #organizationsOf({ organizations, usedProjects }: SeenKey): string[] {
    if (organizations === null) return []
    const ids = [...usedProjects].map((text) => this.#projectOrganization(text))
    const found = [...organizations.map((id) => parseUuid(id)), ...ids].flatMap((id) => id ?? [])
    return found.length > 0 ? [...new Set(found)] : [this.home]
  }

  #projectOrganization(text: string): string | undefined {
    const id = parseInteger(text)
    const row = this.#lists.projects.find((project) => project.id === id)
    return row?.organization as string | undefined
  }

  /** The user of a key. Keys that belong to no other organization share one, unless responses show who they are. */
  #userOf(key: SeenKey, path: string): number {
    const { users } = this.#lists
    const refused = new Set(
      [...key.foreign].map((id) => parseUuid(id) ?? this.#projectOrganization(id)),
    )
    const organizations = this.#lists.organizations
      .map(({ id }) => id)
      .filter((id) => !refused.has(id as string))
    const known = users.find(({ id }) => id === key.user)
    if (known) {
      known.organizations = organizations
      return Number(known.id)
    }
    if (users.length > 1 || (users.length > 0 && refused.size > 0)) {
      this.#assume(
        `${path}.user`,
        null,
        'No request with the key created a row, so its user is made up.',
      )
    }
    const free = users.find(
      (user) =>
        JSON.stringify(user.organizations) === JSON.stringify(organizations) &&
        !this.#keys.some(({ user: id }) => id !== null && id === user.id),
    )
    if (free) return Number(free.id)
    const id = users.reduce((most, user) => Math.max(most, Number(user.id)), 0) + 1
    users.push({
      ...{ id, uuid: uuidFromNumber(id + 100), distinct_id: `user-${id}` },
      ...{ first_name: `User ${id}`, last_name: '', email: `user-${id}@example.com` },
      ...{ is_email_verified: null, hedgehog_config: null, organizations },
    })
    return id
  }
}

/**
 * The id of an organization for what belongs to none of those that responses show. Adds it at the first call.
 *
 * @param number of several organizations, from 1
 */
export function otherOrganization({ organizations }: DraftLists, number = 1): string {
  const id = uuidFromNumber(number + 1)
  if (!organizations.some((each) => each.id === id)) {
    const name = number === 1 ? 'Other organization' : `Other organization ${number}`
    organizations.push({ id, name })
  }
  return id
}

/** The scopes that a key has. A key without any could do everything, by some settings. */
function knownScopes({ scopes, refused }: SeenKey): string[] {
  if (scopes.size > 0) return [...scopes].sort()
  const other = scopeObjects
    .map((object) => `${object}:read`)
    .filter((scope) => !refused.has(scope))
  return [other.at(-1) ?? 'other:read']
}

function isParentMissing(status: number, refusal: Sighting['refusal']): boolean {
  return status === 404 && /^(?:Project|Organization) not found/.test(detailOf(refusal))
}
