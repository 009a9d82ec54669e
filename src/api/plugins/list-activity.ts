import { currentProject } from '../../http/check.ts'
import {
  type ApiCaller,
  type ApiContext,
  defineEndpoint,
  type Operation,
} from '../../http/endpoint.ts'
import * as s from '../../http/fields/body-fields.ts'
import { ignoredParameter, limitParameter, type Parameter } from '../../http/input.ts'
import { parseInteger } from '../../http/messages.ts'
import { joinJsonRows, toJsonText } from '../../utils/json.ts'
import { linksFrom } from '../../utils/query.ts'
import type { ActivityRow, PluginRow } from '../../world/rows.ts'
import { foundRows, type OrderedRows } from '../../world/sorted-list.ts'
import type { Tables } from '../../world/tables.ts'
import { writePluginIfAny } from './other-list.ts'
import {
  byBody,
  crashed,
  organizationParams,
  otherScope,
  pluginShape,
  pluginsOf,
} from './plugin.ts'

export const activityEntryShape = s.objectOf({
  user: s.nullableShape(s.objectOf({ first_name: s.anyText, email: s.anyText })),
  activity: s.anyText,
  scope: s.anyText,
  item_id: s.anyText,
  detail: s.recordOf(s.anyJson),
  created_at: s.dateTime,
})

function activityOf({ user }: ApiCaller, tables: Tables) {
  const project = currentProject(user, tables)
  return project ? tables.activity.listed(project.id) : foundRows<ActivityRow>([])
}

function writeActivity({ users }: Tables) {
  return (row: ActivityRow) => {
    const user = row.user === null ? undefined : users.get(row.user)
    const shown = user ? { first_name: user.first_name, email: user.email } : null
    return toJsonText(s.pickFields(activityEntryShape, { ...row, user: shown }))
  }
}

/** A page of the activity log. As the service's source has it: it is requested by page number instead of an offset. */
const activityPageShape = s.objectOf({
  results: s.listOf(activityEntryShape),
  next: s.nullableShape(s.anyText),
  previous: s.nullableShape(s.anyText),
  total_count: s.integer,
})

/** A number from 1 on. Any other number gives the first page. */
const pageParameter: Parameter<number> = {
  description: 'The page number, starting at 1.',
  schema: { type: 'integer' },
  read(text) {
    const number = parseInteger(text ?? '') ?? 1
    return number > 0 && Number.isSafeInteger(number) ? number : 1
  },
}

/** A parameter that crashes the live service unless it is an integer. */
function crashing<T>(name: string, initial: T, parameter: Parameter<T>): Parameter<T> {
  return {
    ...parameter,
    schema: { type: 'integer', default: initial },
    read(text, settings, notes) {
      const number = parameter.read(text, settings, notes)
      if (text === null || parseInteger(text) !== undefined) return number
      throw crashed(`the parameter ${name} is not an integer`)
    },
  }
}

/** A response of one plugin ignores both. */
const activityQuery = {
  limit: byBody(ignoredParameter(10), crashing('limit', 10, limitParameter(10))),
  page: byBody(ignoredParameter(1), crashing('page', 1, pageParameter)),
}

function toActivityPage(
  entries: OrderedRows<ActivityRow>,
  { limit, page, url }: Readonly<{ limit: number | bigint; page: number; url: string }>,
  tables: Tables,
) {
  const { size: count } = entries
  const size = Math.min(Number(limit), count)
  const linkTo = linksFrom(url)
  const next = page * size < count ? linkTo({ limit, page: page + 1 }) : null
  const previous = page > 1 ? linkTo({ limit, page: page - 1 }) : null
  const links = `"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)}`
  const end = `],${links},"total_count":${count}}`
  const rows = entries.slice((page - 1) * size, size).map(writeActivity(tables))
  return joinJsonRows(rows, '{"results":[', end)
}

export const listPluginActivity: Operation = defineEndpoint({
  operation: 'listPluginActivity',
  list: 'plugins',
  summary: 'List the activity log of plugins.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins/activity',
  scope: otherScope('plugin:read'),

  params: organizationParams,
  query: activityQuery,
  status: 200,
  response: byBody(pluginShape, activityPageShape),
  errors: [],

  handle({ organization, caller, query, url }, context) {
    const { tables, settings } = context
    if (settings['plugins.other.body'] === 'specific')
      return toActivityPage(activityOf(caller, tables), { ...query, url }, tables)
    const [last] = pluginsOf(organization.id, tables).sort((a, b) => b.revision - a.revision)
    return writePluginIfAny(last, organization, context)
  },
})

export function recordActivity(
  activity: 'installed' | 'uninstalled',
  plugin: PluginRow,
  { user }: ApiCaller,
  { tables, clock }: ApiContext,
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
