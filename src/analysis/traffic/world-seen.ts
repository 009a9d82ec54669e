import { endpoints } from '../../api/endpoints.ts'
import { resolveBySetting } from '../../settings/by-setting.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import { parseInteger, parseUuid } from '../../utils/python/text.ts'
import { formatVersion, maxId } from '../../world/world-format.ts'
import type { WorldJson } from '../../world/world-json.ts'
import { AccountsSeen } from './accounts-seen.ts'
import type { Assumption } from './assumption.ts'
import {
  createDraftLists,
  type DraftLists,
  type DraftRow,
  makeValid,
  toDraft,
} from './draft-rows.ts'
import { addExtras } from './extras-seen.ts'
import { addFillers } from './filler-rows.ts'
import type { SeenKey } from './keys-seen.ts'
import type { Plan, SeenLists } from './plan.ts'
import { type FirstShown, parentOf, type RowsSeen } from './rows-seen.ts'
import type { Sighting } from './sighting.ts'

const settings = resolveSettings('live')

/**
 * The scope that an operation requires in the live service: `refused` if it accepts only keys without scopes. Null if it
 * accepts any key.
 */
export function scopeOfOperation(operation: string): string | null {
  const endpoint = endpoints.find(({ id }) => id === operation)
  const scope = endpoint && resolveBySetting(endpoint.scope, settings)
  return scope === undefined || scope === 'any_key' ? null : scope
}

/** The rows before the first request, and what was assumed about them. */
export interface SeenWorld {
  readonly world: WorldJson
  readonly assumptions: readonly Assumption[]
}

/** Builds the world before the first request: each row as it was first shown, unless it was added later. */
export function buildWorld(
  sightings: readonly Sighting[],
  keys: readonly SeenKey[],
  seen: SeenLists,
  plan: Plan,
): SeenWorld {
  const { late, deleted } = plan
  const lists = createDraftLists()
  const accounts = new AccountsSeen(lists, sightings, keys)
  accounts.add()
  const assumptions: Assumption[] = [...accounts.assumptions]
  for (const rows of Object.values(seen)) {
    for (const row of rows.shown.values()) {
      const name = `${row.list}/${row.id}`
      if (late.has(name)) continue
      const draft = addRow(row, lists, accounts.home)
      if (deleted.has(name)) draft.deleted = true
      assumptions.push(...describeUnknown(row, draft))
    }
    assumptions.push(...addFillers(rows, lists, plan))
    for (const sighting of rows.sightings) {
      const project = parseInteger(parentOf(sighting)) ?? lists.projects[0]?.id
      for (const row of sighting.rows) addDashboardItem(row, project, lists)
    }
  }
  assumptions.push(...addExtras(lists, sightings, seen.plugins))
  for (const [list, rows] of Object.entries(lists)) {
    const isCounted = list !== 'repository' && rows.every(({ id }) => typeof id === 'number')
    if (isCounted) rows.sort((a, b) => Number(a.id) - Number(b.id))
  }
  assumptions.push(...makeValid(lists))
  const filled = Object.entries(lists).filter(([, rows]) => rows.length > 0)
  const next_ids = findNextIds(Object.values(seen), lists, late)
  const head = Object.keys(next_ids).length > 0 && { next_ids }
  const world = { format_version: formatVersion, ...head, ...Object.fromEntries(filled) }
  return { world: world as WorldJson, assumptions }
}

function addRow({ list, fields, parent }: FirstShown, lists: DraftLists, home: string): DraftRow {
  const place: DraftRow =
    list === 'annotations'
      ? { project: parseInteger(parent) ?? lists.projects[0]?.id }
      : {
          organization: parseUuid(String(fields.organization_id ?? parent)) ?? home,
          ...(fields.source !== undefined && { source: fields.source }),
        }
  const row = toDraft(list, fields, place)
  lists[list].push(row)
  return row
}

function addDashboardItem(
  { dashboard_item: id, insight_short_id, insight_name }: Readonly<Record<string, unknown>>,
  project: unknown,
  { dashboard_items }: DraftLists,
): void {
  if (typeof id !== 'number' || dashboard_items.some((item) => item.id === id)) return
  dashboard_items.push({
    id,
    project,
    short_id: String(insight_short_id ?? `item-${id}`),
    name: insight_name ?? null,
  })
}

function describeUnknown({ list, unknown }: FirstShown, row: DraftRow): Assumption[] {
  return unknown.map((name) => ({
    field: `${list}[id=${row.id}].${name}`,
    value: row[name],
    because: 'No response shows the value before the first change. The value after it is assumed.',
  }))
}

/** The ids of the first rows that requests created. Another service can have ids that no world can. */
function findNextIds(
  seen: readonly RowsSeen[],
  lists: DraftLists,
  late: Plan['late'],
): Record<string, number> {
  return Object.fromEntries(
    seen.flatMap(({ list, created, shown, unread }): [string, number][] => {
      const highest = lists[list].reduce((most, { id }) => Math.max(most, Number(id)), 0)
      const left = [...shown.keys(), ...unread.keys()].filter(
        (id) => late.get(`${list}/${id}`) != null,
      )
      const next = [...created, ...left]
        .filter((id) => id <= maxId)
        .reduce((least, id) => Math.min(least, id), Number.POSITIVE_INFINITY)
      return Number.isFinite(next) && next > highest ? [[list, next]] : []
    }),
  )
}
