import { isObject } from '../../../utils/json.ts'
import {
  byStatus,
  errorDetail,
  errorForm,
  NoSuchValue,
  type ObserverKey,
  paths,
  Unclear,
} from '../requests.ts'
import type { Probes, Round } from '../round.ts'

/** Probes of keys, and of the list of projects. They only read, unless an error body hides what they need. */
export const keyProbes: Probes = {
  'errors.body': {
    shows: 'the body of a 401 and of a 404',
    async observe(round) {
      await round.requireKeys()
      const answers = [await round.withoutKey(), await round.missingRow()]
      const forms = answers.map((answer) => {
        byStatus(answer, { 401: true, 403: true, 404: true })
        return errorForm(answer)
      })
      if (forms[0] === forms[1]) return forms[0] as string
      throw new NoSuchValue('The errors of this server have several forms.')
    },
  },
  'keys.missing.status': {
    shows: 'the status without a key, and with an unknown one',
    async observe(round) {
      await round.requireKeys()
      const statuses = [await round.withoutKey(), await round.withWrongKey()].map((answer) =>
        byStatus(answer, { 401: '401', 403: '403' }),
      )
      if (statuses[0] === statuses[1]) return statuses[0] as string
      throw new NoSuchValue('A missing key and an unknown one get different statuses.')
    },
  },
  'keys.www_authenticate': {
    shows: 'the header of a 401',
    unless: 'The server returns 403 instead of 401.',
    async observe(round) {
      await round.requireKeys()
      const answer = await round.withoutKey()
      byStatus(answer, { 401: true })
      return answer.headers.has('www-authenticate') ? 'present' : 'absent'
    },
  },
  'keys.insufficient.status': {
    shows: 'the status with a key that lacks the scope',
    key: 'a key without scopes of annotations, or without those of plugins',
    async observe(round) {
      const { path, key, allowed } = lackingKey(round)
      const query = { limit: round.number }
      const status = await round.compareKeys(path, { query }, allowed, key)
      if (status !== null) return String(status)
      throw new Unclear(`The key "${key.label}" has more permissions than its label says.`)
    },
  },
  'keys.write_implies_read': {
    shows: 'the status of a list with a key that may only write',
    key: '`annotation:write` or `plugin:write`',
    unless: 'A refusal looks like that of an unknown key, and writes are not allowed.',
    async observe(round) {
      const key = round.keys.writeOnly()
      const path = key.object === 'annotation' ? paths.annotations : paths.plugins
      const query = { limit: round.number }
      const allowed = round.keys.for(`${key.object}:read`)
      const prove = () => proveByWrite(round)
      const refusal = await round.compareKeys(path, { query }, allowed, key, prove)
      return refusal === null ? 'yes' : 'no'
    },
  },
  'keys.empty_scopes': {
    shows: 'the status with a key without scopes',
    key: '`none`',
    unless: 'A refusal looks like that of an unknown key.',
    async observe(round) {
      const key = round.keys.find('none')
      if (!key) throw new Unclear('It needs a key with an empty list of scopes: --key none=KEY.')
      const { list } = round.base
      const query = { limit: round.number }
      const refusal = await round.compareKeys(list, { query }, round.baseKey, key)
      return refusal === null ? 'everything' : 'nothing'
    },
  },
  'keys.places': {
    shows:
      'the error for an unknown key in the query; with writes, the status with the key in a body',
    unless: 'Errors have no message, and writes are not allowed.',
    async observe(round) {
      await round.requireKeys()
      const withoutKey = await round.withoutKey()
      const missing = errorDetail(withoutKey)
      const wrong = errorDetail(await round.withWrongKey())
      if (missing === null || wrong === null || missing === wrong) return placeByWrite(round)
      // An unknown key, because servers log queries.
      const query = { limit: round.number, personal_api_key: round.wrongKey }
      const answer = await round.get(round.base.list, { key: null, query })
      byStatus(answer, { [withoutKey.status]: true })
      return errorDetail(answer) === missing ? 'header' : 'header_body_query'
    },
  },
  'projects.list.scope': {
    shows: 'the status of GET /api/projects/ with several keys',
    key: 'a key with scopes, but without `project:read`',
    async observe(round) {
      const all = round.keys.find('all')
      if (!all) throw new Unclear('It needs a key with full access: --key all=KEY.')
      const query = { limit: round.number }
      const { status } = await round.get(paths.projects, { key: all, query })
      if (status === 200) {
        const lacking = round.keys.lacking('project')
        const refusal = await round.compareKeys(paths.projects, { query }, all, lacking)
        return refusal === null ? 'any_key' : 'project:read'
      }
      byStatus({ status }, { [round.refusal]: true })
      // Servers refuse a key that is narrowed to projects here and for plugins.
      await round.page(paths.plugins, all)
      if (status === 403) return 'refused'
      const old = round.keys.find('old')
      if (!old) throw new Unclear('It needs a key from before scopes existed: --key old=KEY.')
      byStatus(await round.get(paths.projects, { key: old, query }), { 200: true })
      return 'refused'
    },
  },
  'projects.id.not_a_number': {
    shows: 'the message of the 404, compared with that of a missing row',
    unless: 'Errors have no message.',
    async observe(round) {
      const key = round.keys.for('annotation:read')
      const path = paths.annotations.replace(':project_id', `understudy-${round.number}`)
      const answer = await round.get(path, { key, query: { limit: round.number } })
      byStatus(answer, { 404: true })
      const missing = await round.missingRow()
      byStatus(missing, { 404: true })
      const [message, usual] = [errorDetail(answer), errorDetail(missing)]
      if (message === null || usual === null) throw new Unclear('Errors have no message.')
      if (message === usual) return 'not_found'
      if (/project/i.test(message)) return 'project_not_found'
      throw new NoSuchValue('The message is neither the usual one nor about a project.')
    },
  },
  'projects.token': {
    shows: 'the status with an unknown token in the query',
    async observe(round) {
      const { list } = round.base
      const name = round.number === 1 ? 'token' : 'api_key'
      const query = { limit: 1, [name]: round.wrongKey }
      const { status } = await round.get(list, { key: round.baseKey, query })
      const { status: refusal } = await round.withoutKey()
      byStatus({ status: refusal }, { 401: true, 403: true })
      return byStatus({ status }, { 200: 'ignored', [refusal]: 'read' })
    },
  },
}

/** A key that lacks the scopes of a list, and one that has them. @throws Unclear */
function lackingKey({ keys }: Round): { key: ObserverKey; path: string; allowed: ObserverKey } {
  const isPluginKey = keys.findLacking('plugin') && !keys.findLacking('annotation')
  const object = isPluginKey ? 'plugin' : 'annotation'
  const path = object === 'plugin' ? paths.plugins : paths.annotations
  return { key: keys.lacking(object), path, allowed: keys.for(`${object}:read`) }
}

/** Shows that a key that may only write is known to the server. */
async function proveByWrite(round: Round): Promise<void> {
  const { object, ...key } = round.keys.writeOnly()
  if (object !== 'annotation' || !round.observer.options.allowWrites) return
  await round.change('annotation', { body: {} }, key)
}

/** Sends a key in the body of a change of an own row. */
async function placeByWrite(round: Round): Promise<string> {
  if (!round.observer.options.allowWrites) {
    throw new Unclear(
      'The errors for a missing and an unknown key are the same. It needs --allow-writes.',
    )
  }
  const { value } = round.keys.for('annotation:write')
  const body = { personal_api_key: value }
  const answer = await round.change('annotation', { body }, null)
  if (answer.status === 200 && isObject(answer.body)) return 'header_body_query'
  const { status } = await round.withoutKey()
  return byStatus(answer, { [status]: 'header' })
}
