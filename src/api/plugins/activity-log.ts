import { currentProject } from '../../http/check.ts'
import type { ApiCaller } from '../../http/endpoint.ts'
import * as s from '../../http/fields/body-fields.ts'
import {
  ignoredParameter,
  limitParameter,
  offsetParameter,
  type Parameter,
} from '../../http/input.ts'
import { queryString, withQuery } from '../../http/messages.ts'
import type { LinkedWindow } from '../../http/pages.ts'
import type { PerSetting } from '../../settings/setting.ts'
import { type JsonText, joinJsonRows, toJsonText } from '../../utils/json.ts'
import { parseInteger } from '../../utils/python.ts'
import { parseQuery } from '../../utils/query.ts'
import type { Clock } from '../../world/clock/clock.ts'
import type { ActivityRow, PluginRow } from '../../world/rows.ts'
import { type OrderedRows, orderedRows } from '../../world/table.ts'
import type { Tables } from '../../world/tables.ts'
import { byBody, crashed } from './plugin.ts'

/** An entry of the activity log, as the API returns it. */
interface ActivityEntry extends Omit<ActivityRow, 'id' | 'user' | 'organization' | 'project'> {
  user: { first_name: string; email: string } | null
}

export const activityEntryShape: s.Shape<ActivityEntry> = s.objectOf({
  user: s.nullableShape(s.objectOf({ first_name: s.anyText, email: s.anyText })),
  activity: s.anyText,
  scope: s.anyText,
  item_id: s.anyText,
  detail: s.recordOf(s.anyJson),
  created_at: s.dateTime,
})

export function recordActivity(
  activity: 'installed' | 'uninstalled',
  plugin: PluginRow,
  { user }: ApiCaller,
  tables: Tables,
  clock: Clock,
): void {
  tables.activity.put({
    id: tables.activity.nextId,
    user: user.id,
    organization: plugin.organization,
    project: currentProject(user, tables)?.id ?? null,
    activity,
    scope: 'Plugin',
    item_id: String(plugin.id),
    detail: { changes: null, trigger: null, name: plugin.name, short_id: null, type: null },
    created_at: clock.iso(),
  })
}

/** The activity log of the caller's current project, newest first. */
export function activityOf({ user }: ApiCaller, tables: Tables): OrderedRows<ActivityRow> {
  const project = currentProject(user, tables)
  return project ? tables.activity.listed(project.id) : orderedRows<ActivityRow>([])
}

export function writeActivity({ users }: Tables): (row: ActivityRow) => JsonText<ActivityEntry> {
  return (row) => {
    const user = row.user === null ? undefined : users.get(row.user)
    const shown = user ? { first_name: user.first_name, email: user.email } : null
    return toJsonText(s.pickFields(activityEntryShape, { ...row, user: shown }))
  }
}

/** A page of the activity log. Seen in the live service: it is requested by page number instead of an offset. */
interface ActivityPage {
  results: ActivityEntry[]
  next: string | null
  previous: string | null
  total_count: number
}

export const activityPageShape: s.Shape<ActivityPage> = s.objectOf({
  results: s.listOf(activityEntryShape),
  next: s.nullableShape(s.anyText),
  previous: s.nullableShape(s.anyText),
  total_count: s.integer,
})

/** A number from 1 on. Any other number gives the first page. */
const pageParameter: Parameter<number> = {
  description: 'The page number, starting at 1.',
  schema: { type: 'integer' },
  read: (text) => parsePositive(text) ?? 1,
}

const limitOfTen = limitParameter(10)

/** A parameter that crashes the live service unless it is an integer. */
function crashing(name: string, parameter: Parameter<number>): Parameter<number> {
  return {
    ...parameter,
    schema: { type: 'integer' },
    read(text, settings, notes) {
      const number = parameter.read(text, settings, notes)
      if (text === null || parseInteger(text) !== undefined) return number
      throw crashed(`the parameter ${name} is not an integer`)
    },
  }
}

/** Pagination by page number or by offset, depending on the response. A response of one plugin ignores both. */
export const activityQuery: {
  readonly [Name in 'limit' | 'page' | 'offset']: PerSetting<Parameter<number>>
} = {
  limit: byBody(ignoredParameter(10), crashing('limit', limitOfTen), limitOfTen),
  page: byBody(ignoredParameter(1), crashing('page', pageParameter), ignoredParameter(1)),
  offset: byBody(ignoredParameter(0), ignoredParameter(0), offsetParameter),
}

export function toActivityPage(
  entries: OrderedRows<ActivityRow>,
  { limit, page, url }: Pick<LinkedWindow, 'limit' | 'url'> & { readonly page: number },
  tables: Tables,
): JsonText<ActivityPage> {
  const { size: count } = entries
  const next = page * limit < count ? linkTo(url, limit, page + 1) : null
  const previous = page > 1 ? linkTo(url, limit, page - 1) : null
  const links = `"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)}`
  const end = `],${links},"total_count":${count}}`
  const rows = entries.slice((page - 1) * limit, limit).map(writeActivity(tables))
  return joinJsonRows(rows, '{"results":[', end)
}

function linkTo(url: string, limit: number, page: number): string {
  const query = parseQuery(queryString(url))
  query.set('limit', String(limit))
  query.set('page', String(page))
  return withQuery(url, query)
}

function parsePositive(text: string | null): number | undefined {
  const number = parseInteger(text ?? '') ?? 0
  return number > 0 && Number.isSafeInteger(number) ? number : undefined
}
