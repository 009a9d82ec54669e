import { byId, type Json, type Plugin, pick } from '../rows.ts'
import { currentProject } from './access.ts'
import { serverError } from './answers.ts'
import type { Call, PluginCall } from './call.ts'
import { sortable } from './dates.ts'
import { linkTo, readInteger } from './pages.ts'

/** Writes down what a user did to a plugin, in the current project of the user. */
export function log(call: PluginCall, activity: string, { id, name }: Plugin): void {
  const { rows, user, organization, now } = call
  rows.activity.push({
    id: rows.nextActivity,
    user: user.id,
    organization: organization.id,
    project: currentProject(rows, user)?.id ?? null,
    activity,
    scope: 'Plugin',
    item_id: String(id),
    detail: { changes: null, trigger: null, name, short_id: null, type: null },
    created_at: now,
  })
  rows.nextActivity += 1
}

/** A page of the entries of the current project of the user, whatever the organization of the path. */
export function activityPage(call: PluginCall): Json {
  const { rows, user } = call
  const [limit, number] = [readNumber(call, 'limit', 10), readNumber(call, 'page', 1)]
  const project = currentProject(rows, user)?.id
  const entries = rows.activity
    .filter((entry) => entry.project === project)
    .sort((a, b) => compare(sortable(b.created_at), sortable(a.created_at)) || b.id - a.id)
  const results = entries.slice((number - 1) * limit, number * limit).map((entry) => {
    const author = byId(rows.users, entry.user)
    return {
      user: author ? pick(author, ['first_name', 'email']) : null,
      ...pick(entry, ['activity', 'scope', 'item_id', 'detail', 'created_at']),
    }
  })
  return {
    results,
    next: number * limit < entries.length ? link(call, number + 1, limit) : null,
    previous: number > 1 ? link(call, number - 1, limit) : null,
    total_count: entries.length,
  }
}

/** Another text than a whole number crashes the service. One that is too small counts as missing. */
function readNumber({ request }: Call, name: string, usual: number): number {
  const text = request.query.findLast(([parameter]) => parameter === name)?.[1]
  if (text === undefined) return usual
  const number = readInteger(text)
  if (number === null) throw serverError()
  return number < 1 ? usual : number
}

function link({ request }: Call, number: number, limit: number): string {
  return linkTo(request, { page: String(number), limit: String(limit) })
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
