import { parseInteger } from '../http/messages.ts'
import { parseUuid } from '../utils/python.ts'
import { formatCount } from '../utils/text.ts'
import { formatVersion, maxId } from '../world/world-format.ts'
import type { WorldJson } from '../world/world-json.ts'
import { type Access, addAccounts } from './accounts-seen.ts'
import {
  createDraftLists,
  type DraftLists,
  type DraftRow,
  makeValid,
  toDraft,
} from './draft-rows.ts'
import type { History, SeenLists, StartRow } from './history.ts'
import type { Observation } from './observation.ts'
import { maxMadeUp, notShown } from './repairs.ts'
import { parentOf, type RowsSeen } from './rows-seen.ts'

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
  history: Pick<History, 'start' | 'left'>,
  access: Access,
): SeenWorld {
  const lists = createDraftLists()
  const home = addAccounts(lists, observations.map(withRowLeft), access)
  const warnings: string[] = []
  for (const rows of Object.values(seen)) {
    const own = [...history.start.values()].filter(({ list }) => list === rows.list)
    for (const row of own) addRow(row, lists, home)
    warnings.push(...describeMadeUp(own, rows.observations))
    for (const observation of rows.observations) {
      const project = parseInteger(parentOf(observation)) ?? lists.projects[0]?.id
      for (const row of observation.rows) addDashboardItem(row, project, lists)
    }
  }
  for (const [list, rows] of Object.entries(lists)) {
    const isCounted = list !== 'repository' && rows.every(({ id }) => typeof id === 'number')
    if (isCounted) rows.sort((a, b) => Number(a.id) - Number(b.id))
  }
  warnings.push(...makeValid(lists))
  const filled = Object.entries(lists).filter(([, rows]) => rows.length > 0)
  const next_ids = findNextIds(Object.values(seen), lists, history)
  const head = Object.keys(next_ids).length > 0 && { next_ids }
  const world = { format_version: formatVersion, ...head, ...Object.fromEntries(filled) }
  return { world: world as WorldJson, warnings }

  /** A create whose response shows no row, with the row that it left. */
  function withRowLeft(observation: Observation): Observation {
    const row = history.left.get(observation.index)
    return row ? { ...observation, rows: [{ ...row.fields, id: row.id }] } : observation
  }
}

function describeMadeUp(rows: readonly StartRow[], observations: readonly Observation[]): string[] {
  const counts = new Map<string, StartRow[]>()
  for (const row of rows.filter(({ isMadeUp }) => isMadeUp))
    counts.set(row.parent, [...(counts.get(row.parent) ?? []), row])
  return [...counts].map(([parent, made]) => {
    const named = made.filter(({ fields }) => Object.keys(fields).length === 1)
    const pages = observations.flatMap((read) =>
      parentOf(read) === parent && read.page?.count != null ? read.page : [],
    )
    if (named.length === made.length && pages.length === 0)
      return `The content of ${named.map(({ id }) => id).join(', ')} of ${made[0]?.list} is made up: requests name them, and no response shows them.`
    const all = rows.filter((row) => row.parent === parent && row.fields.deleted !== true)
    const wholes = pages.filter(({ search }) => search.length === 0)
    const counted = Math.max(0, ...wholes.map(({ count }) => count ?? 0))
    const missing = made.length < maxMadeUp ? 0 : counted - all.length
    const where = `${made[0]?.list === 'annotations' ? 'project' : 'organization'} ${parent}`
    return `The list of ${where} counted ${formatCount(made.length + Math.max(0, missing), 'row')} that no response shows. The world has ${made.length} of them, with content that is made up.`
  })
}

function addRow(
  { list, fields, parent, isMadeUp }: StartRow,
  lists: DraftLists,
  home: string,
): DraftRow {
  const parentFields: DraftRow =
    list === 'annotations'
      ? { project: parseInteger(parent) ?? lists.projects[0]?.id }
      : {
          organization: parseUuid(String(fields.organization_id ?? parent)) ?? home,
        }
  // A request that deleted a plugin does not show its name.
  const shown =
    list === 'plugins' ? { name: `Plugin ${fields.id}`, plugin_type: 'local', ...fields } : fields
  const row = toDraft(list, isMadeUp ? madeUp(shown, lists) : shown, parentFields)
  lists[list].push(row)
  return row
}

function madeUp(shown: DraftRow, { users }: DraftLists): DraftRow {
  const time = shown.date_marker ?? '2024-01-01T00:00:00Z'
  const times = { created_at: time, updated_at: time }
  return {
    content: notShown,
    date_marker: time,
    scope: 'project',
    ...times,
    creation_type: 'USR',
    created_by: users[0]?.id ?? null,
    ...shown,
  }
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
  { left }: Pick<History, 'left'>,
): Record<string, number> {
  return Object.fromEntries(
    seen.flatMap(({ list, created }): [string, number][] => {
      const highest = lists[list].reduce((most, { id }) => Math.max(most, Number(id)), 0)
      const ids = [...left.values()].flatMap((row) => (row.list === list ? row.id : []))
      const next = [...created, ...ids]
        .filter((id) => id <= maxId)
        .reduce((least, id) => Math.min(least, id), Number.POSITIVE_INFINITY)
      return Number.isFinite(next) && next > highest ? [[list, next]] : []
    }),
  )
}
