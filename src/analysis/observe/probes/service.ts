import { isObject } from '../../../utils/json.ts'
import { type Answer, byStatus, NoSuchValue, paths, Unclear } from '../requests.ts'
import type { Probe, Probes, Round } from '../round.ts'

/** Beyond the last row of any list: such a page is empty, and its link to the page before shows the limit. */
const farOffset = 1_000_000_000

/** Higher than every maximum that the policy has. */
const highLimit = 100_000

/** Higher than every maximum that the policy has, too. Its page may have as many rows. */
const countedLimit = 1001

const formType = 'application/x-www-form-urlencoded'

/** Probes of what all operations share: lists, paths, methods, headers and bodies. */
export const serviceProbes: Probes = {
  'lists.limit.maximum': {
    shows:
      'the limit in the link to the previous page, after requests with high limits, and the number of rows',
    async observe(round) {
      const limit = await readLimit(round, round.base.list, highLimit)
      return limit === highLimit ? 'none' : String(limit)
    },
  },
  'annotations.list.limit.default': defaultLimit(paths.annotations, 'annotation:read'),
  'plugins.list.limit.default': defaultLimit(paths.plugins, 'plugin:read'),
  'projects.list.limit.default': defaultLimit(paths.projects, 'project:read'),
  'lists.limit.invalid': {
    shows: 'the status with the limit `many`, and with the offset `none`',
    async observe(round) {
      const query =
        round.number === 1 ? { limit: 'many', offset: farOffset } : { offset: 'none', limit: 1 }
      const answer = await round.get(round.base.list, { key: round.baseKey, query })
      return byStatus(answer, { 200: 'default', 400: 'refused' })
    },
  },
  'headers.allow': {
    shows: 'the header of a list',
    async observe(round) {
      const { answer } = await round.page()
      return answer.headers.has('allow') ? 'every_answer' : 'on_405'
    },
  },
  'paths.current': {
    shows: 'the status of a path with @current',
    async observe(round) {
      const { base, baseKey, number } = round
      // The second round prefers the other resource.
      const all = number === 1 ? undefined : round.keys.find('all')
      const path = all ? paths.plugins : base.list
      const current = path.replace(/:(project|organization)_id/, '@current')
      const answer = await round.get(current, { key: all ?? baseKey, query: { limit: number } })
      return byStatus(answer, { 200: 'on', 404: 'off' })
    },
  },
  'paths.unknown': {
    shows: 'the response to OPTIONS of an unknown path',
    async observe(round) {
      const path = `/api/understudy_unknown_${round.number}/`
      const answer = await round.send('OPTIONS', path, {})
      if (answer.status === 404) return 'not_found'
      byStatus(answer, { 200: true })
      if (isObject(answer.body) && Array.isArray(answer.body.parses)) return 'view'
      throw new NoSuchValue('OPTIONS of an unknown path returned another description.')
    },
  },
  'paths.format': {
    shows: 'the status of a list with the suffix .json, and with an unknown format',
    async observe(round) {
      const { base, baseKey: key } = round
      if (round.number === 1) {
        const path = base.list.replace(/\/$/, '.json')
        return byStatus(await round.get(path, { key, query: { limit: 1 } }), {
          200: 'on',
          404: 'off',
        })
      }
      const query = { limit: 1, format: 'understudy' }
      return byStatus(await round.get(base.list, { key, query }), { 200: 'off', 404: 'on' })
    },
  },
  versioning: {
    shows: 'the fields of an annotation with an author',
    unless: 'The first annotations have no author, and writes are not allowed.',
    async observe(round) {
      const row = await anyAnnotation(round, (each) => isObject(each.created_by))
      const fields = ['dashboard_id', 'dashboard_name', 'insight_derived_name']
      const present = fields.filter((name) => name in row).length
      const isHedgehog = isObject(row.created_by) && 'hedgehog_config' in row.created_by
      if (present === 0) return isHedgehog ? 'none' : 'may_2024'
      if (present === fields.length && isHedgehog) return 'july_2024'
      throw new NoSuchValue('An annotation has the fields of no known version.')
    },
  },
  'methods.put': {
    shows: 'Allow in the response to OPTIONS; with writes, the status of PUT',
    async observe(round) {
      if (round.observer.options.allowWrites) {
        const answer = await round.change('annotation', { method: 'PUT', body: {} })
        return byStatus(answer, { 200: 'on', 405: 'off', [round.refusal]: 'off' })
      }
      const allow = (await describe(round)).headers.get('allow')?.split(/,\s*/) ?? []
      if (allow.includes('PATCH')) return allow.includes('PUT') ? 'on' : 'off'
      throw new Unclear('OPTIONS does not return the methods of an annotation.')
    },
  },
  'bodies.form': {
    shows: 'the media types in the response to OPTIONS; with writes, the row that a form changes',
    async observe(round) {
      if (round.observer.options.allowWrites) {
        const date_marker = '2024-06-05T12:00:00Z'
        const answer = await round.change('annotation', {
          raw: new URLSearchParams({ date_marker }),
        })
        const row = isObject(answer.body) ? answer.body : {}
        const isChanged = Date.parse(String(row.date_marker)) === Date.parse(date_marker)
        if (answer.status === 200 && !isChanged) {
          throw new NoSuchValue('The server answers a form with 200, and does not change the row.')
        }
        return byStatus(answer, { 200: 'accepted', 415: 'refused' })
      }
      const { body } = await describe(round)
      const parses = isObject(body) && Array.isArray(body.parses) ? body.parses : []
      if (!parses.includes('application/json')) throw new Unclear('OPTIONS returns no media types.')
      return parses.includes(formType) ? 'accepted' : 'refused'
    },
  },
  'bodies.json': {
    shows: 'the status of a body of the type */*, and of one with NaN',
    writes: true,
    async observe(round) {
      const isFirst = round.number === 1
      const headers = { 'content-type': isFirst ? '*/*' : 'application/json' }
      const raw = isFirst ? '{}' : '{"understudy_unknown": NaN}'
      const answer = await round.change('annotation', { headers, raw })
      return byStatus(answer, { 200: 'lenient', [isFirst ? 415 : 400]: 'strict' })
    },
  },
  'methods.undocumented': {
    shows: 'the status of POST on an annotation',
    key: 'a key with scopes',
    writes: true,
    async observe(round) {
      const { scopes } = round.keys.for('annotation:write')
      if (scopes === null) throw new Unclear('It needs a key with scopes: --key all=KEY.')
      const answer = await round.change('annotation', { method: 'POST', body: {} })
      return byStatus(answer, { 405: '405', [round.refusal]: 'refused_to_scoped_keys' })
    },
  },
  'fields.nullable': {
    shows: 'the status of null in date_marker, and in dashboard_item',
    writes: true,
    async observe(round) {
      // The content is needed to recognize the row.
      const body = round.number === 1 ? { date_marker: null } : { dashboard_item: null }
      const answer = await round.change('annotation', { body })
      return byStatus(answer, { 200: 'observed', 400: 'documented' })
    },
  },
  'limits.retry_after': {
    shows: 'the header of a 429',
    unless: 'The server does not throttle.',
    async observe(round) {
      const { throttled } = round.observer.sender
      const answer = throttled[round.number - 1]
      if (!answer) throw new Unclear('The server throttled too few requests to show it.')
      return answer.headers.has('retry-after') ? 'present' : 'absent'
    },
  },
  'limits.rate': { hidden: 'It would need more than 480 requests within a minute.' },
  'limits.body': { hidden: 'It would need bodies of many megabytes.' },
}

/** OPTIONS of an annotation, or of the id 0, which needs no row. */
function describe(round: Round): Promise<Answer> {
  const { base, baseKey: key, number } = round
  return round.once('options', () => round.send('OPTIONS', base.row, { key, id: number - 1 }))
}

/** An annotation of the first page, else one of its own. @param isSuitable by default any one is */
export async function anyAnnotation(
  round: Round,
  isSuitable: (row: Row) => boolean = () => true,
): Promise<Row> {
  const key = round.keys.for('annotation:read')
  const { rows } = await round.page(paths.annotations, key)
  const row = rows.findLast((each) => typeof each.id === 'number' && isSuitable(each as Row))
  if (row) return row as Row
  if (!round.observer.options.allowWrites) {
    throw new Unclear('The first annotations do not show it. It needs --allow-writes.')
  }
  const id = await round.observer.own.annotation(round)
  const { body } = await round.get(paths.annotation, { key, id })
  if (isObject(body) && isSuitable(body as Row)) return body as Row
  throw new Unclear('An annotation of its own does not show it.')
}

type Row = Record<string, unknown> & { readonly id: number }

function defaultLimit(path: string, scope: string): Probe {
  return {
    shows:
      'the limit in the link to the previous page, far behind the last row, and the number of rows from the second one on',
    unless: 'The default is not below the maximum.',
    async observe(round) {
      const limit = await readLimit(round, path, null, scope)
      const maximum = round.observer.found.get('lists.limit.maximum')
      if (maximum === undefined) {
        throw new Unclear(
          `The server shows ${limit}. A maximum, which is open, may hide the default.`,
        )
      }
      if (maximum === 'none' || limit < Number(maximum)) return limit
      throw new Unclear(
        `The server shows ${limit}, which is its maximum, and may hide the default.`,
      )
    },
  }
}

/**
 * The limit that a list applies, as its links contain it. The second round also counts rows, because a server may repeat
 * the limit of the request in its links, and apply another one.
 */
async function readLimit(
  round: Round,
  path: string,
  limit: number | null,
  scope: string = round.base.scope,
): Promise<number> {
  const counts = round.number === 2
  const offset = counts ? 1 : farOffset
  const wanted = limit !== null && counts ? countedLimit : limit
  const query = { offset, ...(wanted !== null && { limit: wanted }) }
  const { status, body } = await readList(round, path, query, scope)
  byStatus({ status }, { 200: true })
  const previous = isObject(body) ? body.previous : null
  if (typeof previous !== 'string' || !URL.canParse(previous)) {
    throw new Unclear(`A page from offset ${offset} on has no link to the previous page.`)
  }
  const { searchParams } = new URL(previous)
  const text = searchParams.get('limit') ?? ''
  if (!/^\d{1,15}$/.test(text)) throw new Unclear('The link to the previous page has no limit.')
  const shown = Number(text)
  if (counts) checkRows(body as Record<string, unknown>, shown)
  else if (Number(searchParams.get('offset')) !== farOffset - shown) {
    throw new Unclear(`A link shows the limit ${shown}, and goes back by another number of rows.`)
  }
  return counts && limit !== null && shown === countedLimit ? limit : shown
}

/** @throws Unclear if a page from the second row on has another number of rows than its limit says */
function checkRows({ count, results }: Record<string, unknown>, limit: number): void {
  if (!Array.isArray(results) || typeof count !== 'number') throw new Unclear('A list is no page.')
  const { length } = results
  if (length === Math.min(limit, Math.max(0, count - 1))) return
  throw new Unclear(
    `A page from the second of ${count} rows on has ${length} rows, although its link shows the limit ${limit}.`,
  )
}

/** Reads a list, with a key from before scopes existed if it refuses keys with scopes. */
async function readList(
  round: Round,
  path: string,
  query: Readonly<Record<string, number>>,
  scope: string,
): Promise<Answer> {
  const old = round.keys.find('old')
  const isRefused = round.observer.found.get('projects.list.scope') === 'refused'
  const key = path === paths.projects && isRefused && old ? old : round.keys.for(scope)
  return round.get(path, { key, query })
}
