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
import type { SeenKey } from './keys-seen.ts'
import type { InitialRow, RowHistory } from './row-history.ts'
import type { Sighting } from './sighting.ts'
import { addUnseenRows } from './unseen-rows.ts'

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
interface SeenWorld {
  readonly world: WorldJson
  readonly assumptions: readonly Assumption[]
}

/** Builds the world before the first request from what responses showed. */
export function buildWorld(
  sightings: readonly Sighting[],
  keys: readonly SeenKey[],
  histories: { readonly annotations: RowHistory; readonly plugins: RowHistory },
): SeenWorld {
  const lists = createDraftLists()
  const accounts = new AccountsSeen(lists, sightings, keys)
  accounts.add()
  const assumptions: Assumption[] = [...accounts.assumptions]
  for (const history of Object.values(histories)) {
    for (const row of history.initial) {
      const draft = addRow(row, lists, accounts.home)
      assumptions.push(...describeUnknown(row, draft))
    }
    assumptions.push(...addUnseenRows(history, sightings, lists))
  }
  assumptions.push(...addExtras(lists, sightings, histories.plugins))
  for (const [list, rows] of Object.entries(lists)) {
    const isCounted = list !== 'repository' && rows.every(({ id }) => typeof id === 'number')
    if (isCounted) rows.sort((a, b) => Number(a.id) - Number(b.id))
  }
  assumptions.push(...makeValid(lists))
  const filled = Object.entries(lists).filter(([, rows]) => rows.length > 0)
  const next_ids = findNextIds(Object.values(histories), lists)
  const head = Object.keys(next_ids).length > 0 && { next_ids }
  const world = { format_version: formatVersion, ...head, ...Object.fromEntries(filled) }
  return { world: world as WorldJson, assumptions }
}

function addRow({ list, fields, parent }: InitialRow, lists: DraftLists, home: string): DraftRow {
  const place: DraftRow =
    list === 'annotations'
      ? { project: parseInteger(parent) ?? lists.projects[0]?.id }
      : {
          organization: parseUuid(String(fields.organization_id ?? parent)) ?? home,
          ...(fields.source !== undefined && { source: fields.source }),
        }
  const row = toDraft(list, fields, place)
  addDashboardItem(fields, row, lists)
  lists[list].push(row)
  return row
}

function addDashboardItem(
  fields: Readonly<Record<string, unknown>>,
  row: DraftRow,
  { dashboard_items }: DraftLists,
): void {
  const id = row.dashboard_item
  if (typeof id !== 'number' || dashboard_items.some((item) => item.id === id)) return
  dashboard_items.push({
    id,
    project: row.project,
    short_id: String(fields.insight_short_id ?? `item-${id}`),
    name: fields.insight_name ?? null,
  })
}

function describeUnknown({ list, unknown }: InitialRow, row: DraftRow): Assumption[] {
  return unknown.map((name) => ({
    field: `${list}[id=${row.id}].${name}`,
    value: row[name],
    because: 'No response shows the value before the first change. The value after it is assumed.',
  }))
}

/** The ids of the first rows that requests created. Another service can have ids that no world can. */
function findNextIds(histories: readonly RowHistory[], lists: DraftLists): Record<string, number> {
  return Object.fromEntries(
    histories.flatMap(({ list, created }): [string, number][] => {
      const highest = lists[list].reduce((most, { id }) => Math.max(most, Number(id)), 0)
      const next = [...created]
        .filter((id) => id <= maxId)
        .reduce((least, id) => Math.min(least, id), Number.POSITIVE_INFINITY)
      return Number.isFinite(next) && next > highest ? [[list, next]] : []
    }),
  )
}
