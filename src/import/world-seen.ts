import { endpointOf } from '../api/endpoints.ts'
import { isSuccess, parseInteger } from '../http/messages.ts'
import { isSeenRow, SeenRequest, type SeenRow } from '../mistakes/seen-request.ts'
import { resolveSettings } from '../settings/resolve.ts'
import { choose } from '../settings/setting.ts'
import { groupBy } from '../utils/latest-map.ts'
import { parseUuid } from '../utils/python.ts'
import { uuidFromNumber } from '../utils/seeded-random.ts'
import { formatCount } from '../utils/text.ts'
import { formatVersion, isRowId } from '../world/world-format.ts'
import type { WorldJson } from '../world/world-json.ts'
import { isUnanswered } from './archived-request.ts'
import {
  createDraftLists,
  type DraftLists,
  type DraftRow,
  makeValid,
  toDraft,
} from './draft-rows.ts'
import { notShown } from './made-up-rows.ts'
import type { History, RowsSeen, SeenLists, StartRow } from './rows-seen.ts'

/** Builds the world before the first request. @returns also what is made up or left out, in sentences */
export function buildWorld(
  requests: readonly SeenRequest[],
  seen: SeenLists,
  { start, left }: Pick<History, 'start' | 'left'>,
) {
  const lists = createDraftLists()
  // A create whose response shows no row counts with the row that it left.
  const shown = requests.map((request) => {
    const { record, client } = request
    const { id, fields } = left.get(record.id) ?? {}
    const created = { ...record, response: { status: 201 } }
    return fields ? new SeenRequest(created, client, { received: { ...fields, id } }) : request
  })
  const home = addOrganizations(lists, shown)
  addProjects(lists, shown, home)
  addUsers(lists, shown)
  addKeys(lists, shown)
  const warnings: string[] = []
  for (const rows of Object.values(seen)) {
    const own = [...start.values()].filter(({ list }) => list === rows.list)
    for (const row of own) addRow(row, lists, home)
    warnings.push(...describeUnseen(rows, own))
    // A lost write may be sent again.
    const lost = rows.requests
      .filter(isUnanswered)
      .map(({ parent, sent }) => ({ parent, rows: [sent] }))
    for (const { parent, rows: shown } of [...rows.requests, ...lost]) {
      const project = parseInteger(parent) ?? lists.projects[0]?.id
      for (const row of shown) addDashboardItem(row, project, lists)
    }
  }
  for (const [list, rows] of Object.entries(lists)) {
    const isCounted = list !== 'repository' && rows.every(({ id }) => typeof id === 'number')
    if (isCounted) rows.sort((a, b) => Number(a.id) - Number(b.id))
  }
  warnings.push(...makeValid(lists))
  const filled = Object.entries(lists).filter(([, rows]) => rows.length > 0)
  const next_ids = findNextIds(Object.values(seen), lists, left)
  const head = Object.keys(next_ids).length > 0 && { next_ids }
  const world = { format_version: formatVersion, ...head, ...Object.fromEntries(filled) }
  return { world: world as WorldJson, warnings }
}

/** @returns the first organization, to which everything else belongs */
function addOrganizations(lists: DraftLists, requests: readonly SeenRequest[]) {
  const names = new Map<string, unknown>()
  const learn = (id: unknown, name?: unknown) => {
    const uuid = typeof id === 'string' ? parseUuid(id) : undefined
    if (uuid !== undefined) names.set(uuid, typeof name === 'string' ? name : names.get(uuid))
  }
  for (const row of rowsOf('projects', requests)) learn(row.organization)
  for (const row of rowsOf('plugins', requests)) {
    learn(row.organization_id, row.organization_name)
  }
  for (const { parent } of requests.filter(isFound)) learn(parent)
  if (names.size === 0) names.set(uuidFromNumber(1), 'Organization')
  for (const [id, name = `Organization ${id}`] of names) lists.organizations.push({ id, name })
  return [...names.keys()][0] as string
}

function addProjects(
  { projects }: DraftLists,
  requests: readonly SeenRequest[],
  organization: string,
) {
  for (const row of rowsOf('projects', requests)) {
    if (!projects.some(({ id }) => id === row.id))
      projects.push(toDraft('projects', row, { organization: row.organization ?? organization }))
  }
  const named = requests.filter(isFound).flatMap(({ parent }) => parseInteger(parent) ?? [])
  for (const id of named.length + projects.length > 0 ? named : [1]) {
    if (!projects.some((project) => project.id === id)) projects.push({ id, organization })
  }
}

/** Whether the place of a path exists: a 404 for a list says that it does not. */
function isFound({ status, row }: SeenRequest) {
  return status !== 404 || row !== null
}

function addUsers({ users, organizations }: DraftLists, requests: readonly SeenRequest[]) {
  for (const { created_by } of rowsOf('annotations', requests)) {
    if (!isUser(created_by) || users.some(({ id }) => id === created_by.id)) continue
    const all = organizations.map(({ id }) => id)
    users.push(toDraft('users', created_by, { organizations: all }))
  }
}

function isUser(author: unknown): author is SeenRow {
  return isSeenRow(author) && isRowId(author.id)
}

function rowsOf(list: SeenRequest['list'], requests: readonly SeenRequest[]) {
  return requests.flatMap((request) => (request.list === list ? request.rows : []))
}

/** Adds the keys that the service accepted. Their users wrote the rows that they created, or are made up. */
function addKeys({ keys, users, organizations }: DraftLists, requests: readonly SeenRequest[]) {
  const accepted = requests.filter(({ client, status }) => client !== '' && status !== 401)
  for (const [label, own] of groupBy(accepted, ({ client }) => client)) {
    const [author] = own.flatMap(({ record, rows: [row] }) =>
      record.operation === 'createAnnotation' && isUser(row?.created_by) ? row.created_by.id : [],
    )
    const user = author ?? users.reduce((most, { id }) => Math.max(most, Number(id)), 0) + 1
    if (author === undefined) {
      const names = { first_name: `User ${user}`, last_name: '', email: `user-${user}@example.com` }
      const uuid = uuidFromNumber(Number(user) + 100)
      const own = { id: user, uuid, distinct_id: `user-${user}`, ...names }
      users.push(toDraft('users', own, { organizations: organizations.map(({ id }) => id) }))
    }
    const value = `replaced-key-${keys.length + 1}`
    keys.push({ value, label, user, scopes: scopesOfKey(label, own) })
  }
}

const documented = resolveSettings('documented')

/** The scopes of a key: those of its label, else all, or after a refusal those that let a request through. */
function scopesOfKey(label: string, own: readonly SeenRequest[]): readonly string[] {
  if (label === 'none') return []
  if (isScope(label)) return [label]
  const allowed = own.filter(({ status }) => isSuccess(status) || status === 405)
  const scopes = new Set(allowed.flatMap(scopesOf))
  const isLimited = own.some(
    (request) => request.status === 403 && scopesOf(request).some((scope) => !scopes.has(scope)),
  )
  return isLimited ? [...scopes].sort() : ['*']
}

function scopesOf({ record: { operation } }: SeenRequest): string[] {
  const endpoint = endpointOf(operation)
  return endpoint ? [choose(endpoint.scope, documented)].flat().filter(isScope) : []
}

function isScope(text: string) {
  return /^[a-z_]+:(?:read|write)$/.test(text)
}

function describeUnseen({ list, requests }: RowsSeen, own: readonly StartRow[]) {
  const madeUp = own.filter(({ isMadeUp }) => isMadeUp)
  const parents = new Set([
    ...madeUp.map(({ parent }) => parent),
    ...requests.map((request) => request.parent),
  ])
  return [...parents].flatMap((parent) => {
    const made = madeUp.filter((row) => row.parent === parent)
    const reads = requests.filter((read) => read.parent === parent)
    const isCounted = reads.some(({ count }) => count !== null)
    const named = made.filter(({ isHidden }) => isHidden || !isCounted)
    const rows = named.map(({ id }) => `${list.slice(0, -1)} ${id}`).join(', ')
    const sentences =
      rows === '' ? [] : [`Made up, because no response shows it: the content of ${rows}.`]
    const listed = made.length - named.length
    const shown = new Set(reads.flatMap(({ rows }) => rows.map(({ id }) => id)))
    let unseen = listed
    for (const { verb, count, terms, rows } of reads.toReversed()) {
      // What was created later was not counted.
      for (const { id } of rows) shown[verb === 'create' ? 'delete' : 'add'](id)
      if (terms.length === 0) unseen = Math.max(unseen, (count ?? 0) - shown.size)
    }
    if (unseen === 0) return sentences
    const where = `${list === 'annotations' ? 'project' : 'organization'} ${parent}`
    const part = listed === 0 ? 'none of them' : `${listed} of them, with content that is made up`
    const counts = `The list of ${where} counted ${formatCount(unseen, 'row')} that no complete response shows.`
    return [...sentences, `${counts} The world has ${part}.`]
  })
}

function addRow({ list, fields, parent, isMadeUp }: StartRow, lists: DraftLists, home: string) {
  const parentFields: DraftRow =
    list === 'annotations'
      ? { project: parseInteger(parent) ?? lists.projects[0]?.id }
      : { organization: parseUuid(String(fields.organization_id ?? parent)) ?? home }
  // A request that deleted a plugin does not show its name.
  const shown =
    list === 'plugins' ? { name: `Plugin ${fields.id}`, plugin_type: 'local', ...fields } : fields
  const row = toDraft(list, isMadeUp ? madeUp(shown, lists) : shown, parentFields)
  lists[list].push(row)
}

function madeUp(shown: DraftRow, { users }: DraftLists): DraftRow {
  const time = shown.date_marker ?? '2024-01-01T00:00:00Z'
  const times = { date_marker: time, created_at: time, updated_at: time }
  const others = { scope: 'project', creation_type: 'USR', created_by: users[0]?.id ?? null }
  return { content: notShown, ...times, ...others, ...shown }
}

function addDashboardItem(
  { dashboard_item, insight_short_id, insight_name }: Readonly<Record<string, unknown>>,
  project: unknown,
  { dashboard_items }: DraftLists,
) {
  const id = parseInteger(String(dashboard_item))
  if (id === undefined || dashboard_items.some((item) => item.id === id)) return
  dashboard_items.push({
    id,
    project,
    short_id: String(insight_short_id ?? `item-${id}`),
    name: insight_name ?? null,
  })
}

/** The ids of the first rows that requests created, if a world can have them. */
function findNextIds(
  seen: readonly RowsSeen[],
  lists: DraftLists,
  left: History['left'],
): Record<string, number> {
  return Object.fromEntries(
    seen.flatMap(({ list, created }): [string, number][] => {
      const highest = lists[list].reduce((most, { id }) => Math.max(most, Number(id)), 0)
      const ids = [...left.values()].flatMap((row) => (row.list === list ? row.id : []))
      const next = [...created, ...ids]
        .filter(isRowId)
        .reduce((least, id) => Math.min(least, id), Number.POSITIVE_INFINITY)
      return Number.isFinite(next) && next > highest ? [[list, next]] : []
    }),
  )
}
