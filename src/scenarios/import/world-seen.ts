import { parseInteger, parseUuid } from '../../utils/python.ts'
import { formatVersion, maxId } from '../../world/world-format.ts'
import type { WorldJson } from '../../world/world-json.ts'
import { addAccounts } from './accounts-seen.ts'
import {
  createDraftLists,
  type DraftLists,
  type DraftRow,
  makeValid,
  toDraft,
} from './draft-rows.ts'
import { addFillers } from './filler-rows.ts'
import type { Observation } from './observation.ts'
import { addOtherLists } from './other-lists-seen.ts'
import { type FirstShown, parentOf, type RowsSeen } from './rows-seen.ts'
import { rowOf, type SeenLists, type UnseenChanges } from './unseen-changes.ts'

/** The rows before the first request. */
interface SeenWorld {
  readonly world: WorldJson
  /** What is made up or left out, in sentences */
  readonly warnings: readonly string[]
}

/** Builds the world before the first request: each row as it was first shown, unless it was added later. */
export function buildWorld(
  observations: readonly Observation[],
  seen: SeenLists,
  unseen: UnseenChanges,
): SeenWorld {
  const { addedLater, deleted } = unseen
  const lists = createDraftLists()
  const rowsLeft = new Map(
    [...addedLater].map(([name, { by }]) => [by, rowOf(name, seen).row] as const),
  )
  const home = addAccounts(lists, observations.map(withRowLeft))
  const warnings: string[] = []
  for (const rows of Object.values(seen)) {
    for (const row of rows.shown.values()) {
      const name = `${row.list}/${row.id}`
      if (addedLater.has(name)) continue
      const draft = addRow(row, lists, home)
      if (deleted.has(name)) draft.deleted = deleted.get(name)
    }
    warnings.push(...addFillers(rows, lists, unseen))
    for (const observation of rows.observations) {
      const project = parseInteger(parentOf(observation)) ?? lists.projects[0]?.id
      for (const row of observation.rows) addDashboardItem(row, project, lists)
    }
  }
  warnings.push(...addOtherLists(lists, observations, seen.plugins))
  for (const [list, rows] of Object.entries(lists)) {
    const isCounted = list !== 'repository' && rows.every(({ id }) => typeof id === 'number')
    if (isCounted) rows.sort((a, b) => Number(a.id) - Number(b.id))
  }
  warnings.push(...makeValid(lists))
  const filled = Object.entries(lists).filter(([, rows]) => rows.length > 0)
  const next_ids = findNextIds(Object.values(seen), lists, addedLater)
  const head = Object.keys(next_ids).length > 0 && { next_ids }
  const world = { format_version: formatVersion, ...head, ...Object.fromEntries(filled) }
  return { world: world as WorldJson, warnings }

  /** A create whose response shows no row, with the row that it left. */
  function withRowLeft(observation: Observation): Observation {
    const row = rowsLeft.get(observation.index)
    return row ? { ...observation, rows: [{ ...row.fields, id: row.id }] } : observation
  }
}

function addRow({ list, fields, parent }: FirstShown, lists: DraftLists, home: string): DraftRow {
  const parentFields: DraftRow =
    list === 'annotations'
      ? { project: parseInteger(parent) ?? lists.projects[0]?.id }
      : {
          organization: parseUuid(String(fields.organization_id ?? parent)) ?? home,
        }
  // A request that deleted a plugin does not show its name.
  const shown = list === 'plugins' ? { name: `Plugin ${fields.id}`, ...fields } : fields
  const row = toDraft(list, shown, parentFields)
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

/** The ids of the first rows that requests created. Another service can have ids that no world can. */
function findNextIds(
  seen: readonly RowsSeen[],
  lists: DraftLists,
  addedLater: UnseenChanges['addedLater'],
): Record<string, number> {
  return Object.fromEntries(
    seen.flatMap(({ list, created, shown, unread }): [string, number][] => {
      const highest = lists[list].reduce((most, { id }) => Math.max(most, Number(id)), 0)
      const left = [...shown.keys(), ...unread.keys()].filter(
        (id) => addedLater.get(`${list}/${id}`)?.by != null,
      )
      const next = [...created, ...left]
        .filter((id) => id <= maxId)
        .reduce((least, id) => Math.min(least, id), Number.POSITIVE_INFINITY)
      return Number.isFinite(next) && next > highest ? [[list, next]] : []
    }),
  )
}
