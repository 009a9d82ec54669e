import { endpoints } from '../../api/endpoints.ts'
import { resolveByPolicy } from '../../policies/by-policy.ts'
import { resolvePolicies } from '../../policies/settings.ts'
import { isObject } from '../../utils/json.ts'
import { parseInteger, parseUuid } from '../../utils/python/text.ts'
import { uuidFromNumber } from '../../utils/seeded-random.ts'
import { entities } from '../../world/entities/entities.ts'
import type { Entity } from '../../world/entities/entity.ts'
import type { ListName } from '../../world/table/tables.ts'
import { formatVersion } from '../../world/world-format.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { Assumption } from './assumption.ts'
import type { DraftLists, DraftRow } from './draft-rows.ts'
import type { SeenKey } from './keys-seen.ts'
import type { InitialRow, RowHistory } from './row-history.ts'
import type { SeenRow, Sighting } from './sighting.ts'
import { addUnseenRows } from './unseen-rows.ts'

const settings = resolvePolicies('live')

/** The scope that an operation requires. Null if it accepts any key, or none. */
export function scopeOfOperation(operation: string): string | null {
  const endpoint = endpoints.find(({ id }) => id === operation)
  const scope = endpoint && resolveByPolicy(endpoint.scope, settings)
  return scope?.includes(':') ? scope : null
}

/** Builds the world before the first request from what responses showed. */
export class WorldBuilder {
  readonly assumptions: Assumption[] = []
  readonly lists = Object.fromEntries(
    Object.keys(entities).map((list) => [list, []]),
  ) as unknown as DraftLists
  readonly #sightings: readonly Sighting[]
  readonly #keys: readonly SeenKey[]
  readonly #histories: readonly RowHistory[]
  /** The organizations that the keys can use. The first one is the default */
  #home = ''

  constructor(
    sightings: readonly Sighting[],
    keys: readonly SeenKey[],
    histories: readonly RowHistory[],
  ) {
    this.#sightings = sightings
    this.#keys = keys
    this.#histories = histories
  }

  build(): WorldJson {
    this.#addOrganizations()
    this.#addProjects()
    this.#addUsers()
    this.#addKeys()
    for (const history of this.#histories) {
      for (const row of history.initial) this.#addRow(row)
      const assumed = addUnseenRows(history, this.#sightings, this.lists)
      this.assumptions.push(...assumed)
    }
    for (const list of Object.values(this.lists)) {
      if (list.every(({ id }) => typeof id === 'number')) {
        list.sort((a, b) => Number(a.id) - Number(b.id))
      }
    }
    const filled = Object.entries(this.lists).filter(([, rows]) => rows.length > 0)
    const next_ids = this.#nextIds()
    return {
      format_version: formatVersion,
      ...(Object.keys(next_ids).length > 0 && { next_ids }),
      ...Object.fromEntries(filled),
    } as WorldJson
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
    const learn = (id: unknown, name: unknown = null): void => {
      const uuid = typeof id === 'string' ? parseUuid(id) : undefined
      if (uuid === undefined) return
      names.set(uuid, typeof name === 'string' ? name : (names.get(uuid) ?? null))
    }
    const foreign = new Set<string>()
    for (const { params, status, refusal } of this.#sightings) {
      const id = params.organization_id
      if (id === undefined || isParentMissing(status, refusal)) continue
      if (status === 403 && /^You do not have permission/.test(String(refusal?.detail))) {
        foreign.add(parseUuid(id) ?? '')
      }
      learn(id)
    }
    for (const row of this.#rowsOf(/^listProjects$/)) learn(row.organization)
    for (const row of this.#rowsOf(/Plugin/)) learn(row.organization_id, row.organization_name)
    if ([...names.keys()].every((id) => foreign.has(id))) {
      const id = uuidFromNumber(1)
      names.set(id, 'Organization')
      this.#home = id
      this.#assume('organizations[0]', id, 'No response shows the organization of the projects.')
    }
    for (const [id, name] of names) {
      if (name === null) {
        const at = this.lists.organizations.length
        this.#assume(
          `organizations[${at}].name`,
          id,
          'No response shows the name of the organization.',
        )
      }
      if (this.#home === '' && !foreign.has(id)) this.#home = id
      this.lists.organizations.push({ id, name: name ?? `Organization ${id}` })
    }
    this.#setAccessLevels()
  }

  #setAccessLevels(): void {
    for (const { params, status, refusal, method } of this.#sightings) {
      if (status !== 403 || !/access level is insufficient/.test(String(refusal?.detail))) continue
      const id = parseUuid(params.organization_id ?? '')
      const row = this.lists.organizations.find((each) => each.id === id)
      const level = method === 'GET' ? 0 : 3
      if (row) row.plugins_access_level = Math.min(level, Number(row.plugins_access_level ?? level))
    }
  }

  #addProjects(): void {
    const { projects, organizations } = this.lists
    for (const row of this.#rowsOf(/^listProjects$/)) {
      if (projects.some(({ id }) => id === row.id)) continue
      projects.push(this.#toDraft('projects', row, {}))
    }
    const foreign = new Set<number>()
    for (const { params, status, refusal } of this.#sightings) {
      const id = parseInteger(params.project_id ?? '')
      if (id === undefined || isParentMissing(status, refusal)) continue
      if (/^You don't have access to the project/.test(String(refusal?.detail))) foreign.add(id)
      if (projects.some((project) => project.id === id)) continue
      projects.push({ id, organization: this.#home })
    }
    if (foreign.size > 0) {
      const id = uuidFromNumber(2)
      organizations.push({ id, name: 'Other organization' })
      for (const project of projects) if (foreign.has(Number(project.id))) project.organization = id
    }
    if (projects.length === 0) projects.push({ id: 1, organization: this.#home })
  }

  #addUsers(): void {
    const { users } = this.lists
    for (const row of this.#rowsOf(/Annotation/)) {
      const author = row.created_by
      if (!isObject(author) || typeof author.id !== 'number') continue
      if (users.some(({ id }) => id === author.id)) continue
      users.push(this.#toDraft('users', author, { organizations: this.#memberships() }))
    }
    if (users.length > 0 || this.#keys.length === 0) return
    users.push({
      id: 1,
      uuid: uuidFromNumber(3),
      distinct_id: 'user-1',
      first_name: 'User',
      last_name: '',
      email: 'user@example.com',
      is_email_verified: null,
      hedgehog_config: null,
      organizations: this.#memberships(),
    })
    this.#assume('users[0]', 1, 'No response shows the user of the keys.')
  }

  /** The organizations whose projects and plugins the keys can use. */
  #memberships(): string[] {
    const refused = new Set<unknown>()
    for (const { params, status, refusal } of this.#sightings) {
      if (status !== 403) continue
      const detail = String(refusal?.detail)
      if (/^You do not have permission/.test(detail))
        refused.add(parseUuid(params.organization_id ?? ''))
    }
    return this.lists.organizations
      .map(({ id, name }) => ({ id: String(id), name }))
      .filter(({ id, name }) => !refused.has(id) && name !== 'Other organization')
      .map(({ id }) => id)
  }

  #addKeys(): void {
    const [first] = this.lists.users
    for (const [index, key] of this.#keys.entries()) {
      const isRefused = key.refused.size > 0
      const scopes = isRefused ? [...key.scopes].sort() : ['*']
      if (!isRefused) {
        this.#assume(
          `keys[${index}].scopes`,
          scopes,
          'No request with the key was refused for a missing scope.',
        )
      }
      const user = key.user ?? first?.id
      if (key.user === null && this.lists.users.length > 1) {
        this.#assume(
          `keys[${index}].user`,
          user,
          'No request with the key created a row, so its user is not known.',
        )
      }
      const projects = (key.projects ?? []).flatMap((id) => parseInteger(id) ?? [])
      const organizations = (key.organizations ?? []).flatMap((id) => parseUuid(id) ?? [])
      this.lists.keys.push({
        value: `key-${index + 1}-of-a-world`,
        label: key.label,
        user,
        scopes,
        ...(projects.length > 0 && { projects }),
        ...(organizations.length > 0 && { organizations }),
      })
    }
  }

  #addRow({ list, fields, parent, unknown }: InitialRow): void {
    const rows = this.lists[list]
    const place: DraftRow =
      list === 'annotations'
        ? { project: parseInteger(parent) ?? this.lists.projects[0]?.id }
        : { organization: parseUuid(String(fields.organization_id ?? parent)) ?? this.#home }
    const row = this.#toDraft(list, fields, place)
    for (const name of unknown) {
      this.#assume(
        `${list}[id=${row.id}].${name}`,
        row[name],
        'No response shows the value before the first change. The value after it is assumed.',
      )
    }
    if (list === 'annotations') this.#addDashboardItem(fields, row)
    rows.push(row)
  }

  #addDashboardItem(fields: Readonly<Record<string, unknown>>, row: DraftRow): void {
    const id = row.dashboard_item
    const { dashboard_items } = this.lists
    if (typeof id !== 'number' || dashboard_items.some((item) => item.id === id)) return
    dashboard_items.push({
      id,
      project: row.project,
      short_id: String(fields.insight_short_id ?? `item-${id}`),
      name: fields.insight_name ?? null,
    })
  }

  /** Converts a row of a response to the world format. @param place fields that responses do not have */
  #toDraft(list: ListName, shown: Readonly<Record<string, unknown>>, place: DraftRow): DraftRow {
    const { stored } = entities[list] as Entity
    const row: DraftRow = {}
    for (const { name, isInternal, isOptional, kind, default: value } of stored) {
      if (isInternal) continue
      const sent = name in place ? place[name] : shown[name]
      const found = kind === 'reference' && isObject(sent) ? sent.id : sent
      if (found !== undefined) row[name] = found
      else if (!isOptional) row[name] = value ?? null
    }
    return row
  }

  /** The ids of the first rows that requests created. */
  #nextIds(): Record<string, number> {
    return Object.fromEntries(
      this.#histories.flatMap(({ list, created }): [string, number][] => {
        const highest = this.lists[list].reduce((most, { id }) => Math.max(most, Number(id)), 0)
        const next = Math.min(...created)
        return Number.isFinite(next) && next > highest ? [[list, next]] : []
      }),
    )
  }
}

function isParentMissing(status: number, refusal: Sighting['refusal']): boolean {
  return status === 404 && /^(?:Project|Organization) not found/.test(String(refusal?.detail))
}
