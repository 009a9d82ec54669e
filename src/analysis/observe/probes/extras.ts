import { isObject } from '../../../utils/json.ts'
import { byStatus, errorDetail, NoSuchValue, Unclear } from '../requests.ts'
import type { Probe, Probes, Round } from '../round.ts'
import {
  answerOf,
  type Extra,
  type ExtraName,
  extras,
  isPlugin,
  requestExtra,
  respond,
  successes,
} from './extra-operations.ts'

const scopeKey = 'a key without scopes of plugins; if keys with scopes are refused, `old`'

const isCrashing = 'The server stores no url, and fails for a plugin without one.'

export const extraProbes: Probes = {
  'plugins.activity.scope': scopeProbe('activity'),
  'plugins.activity.body': bodyProbe('activity', 'page'),
  'plugins.exports_unsubscribe_configs.scope': scopeProbe('exports_unsubscribe_configs'),
  'plugins.exports_unsubscribe_configs.body': bodyProbe(
    'exports_unsubscribe_configs',
    'configurations',
  ),
  'plugins.repository.scope': scopeProbe('repository'),
  'plugins.repository.body': bodyProbe('repository', 'catalogue'),
  'plugins.unused.scope': scopeProbe('unused'),
  'plugins.unused.body': bodyProbe('unused', 'ids'),
  'plugins.source.scope': scopeProbe('source'),
  'plugins.source.body': {
    shows: 'the shape of the response',
    key: '`old` if keys with scopes are refused',
    unless: 'The organization has no plugin, and writes are not allowed.',
    observe: async (round) =>
      isPlugin((await respond(round, extras.source)).body) ? 'plugin' : 'files',
  },
  'plugins.check_for_updates.scope': scopeProbe('check_for_updates', true, isCrashing),
  'plugins.check_for_updates.body': {
    shows: 'the shape of the response',
    key: '`old` if keys with scopes are refused',
    writes: true,
    unless: isCrashing,
    async observe(round) {
      const { body } = await respond(round, extras.check_for_updates)
      if (isPlugin(body)) return 'plugin'
      if (isObject(body) && isPlugin(body.plugin)) return 'wrapped'
      throw new NoSuchValue('The response has an unknown shape.')
    },
  },
  'plugins.update_source.scope': scopeProbe('update_source', true),
  'plugins.update_source.body': {
    shows: 'the response to a body with a file',
    key: '`old` if keys with scopes are refused',
    writes: true,
    async observe(round) {
      const { body } = await respond(round, extras.update_source)
      if (isPlugin(body)) return 'plugin'
      if (isObject(body) && 'understudy.txt' in body) return 'files'
      throw new NoSuchValue('The response has an unknown shape.')
    },
  },
  'plugins.upgrade.scope': scopeProbe('upgrade', true),
  'plugins.upgrade.body': {
    shows: 'the status of a body with an invalid field',
    key: '`old` if keys with scopes are refused',
    writes: true,
    observe: async (round) =>
      byStatus(await respond(round, extras.upgrade), { 200: 'ignored', 400: 'validated' }),
  },
  'plugins.upgrade.effect': {
    hidden: 'It would need to install a plugin of the catalogue.',
  },
  'plugins.extras.none': {
    shows: 'the response of a list that returns a plugin if none matches',
    key: '`old` if keys with scopes are refused',
    unless: 'In each list that returns a plugin, some plugin matches, or errors have no message.',
    async observe(round) {
      const lists = ['repository', 'exports_unsubscribe_configs', 'unused', 'activity'] as const
      const { found } = round.observer
      for (const name of lists) {
        if (found.get(`plugins.${name}.body`) !== 'plugin') continue
        const value = await noneOf(round, extras[name])
        if (value !== null) return value
      }
      throw new Unclear('No list that returns a plugin was found without a match.')
    },
  },
  'plugins.extras.crashes': {
    hidden: 'It would crash the server.',
  },
}

/** What a list returns if no plugin matches. Null if one matches, or if it returns no plugin */
async function noneOf(round: Round, extra: Extra): Promise<'empty_plugin' | 'not_found' | null> {
  const { otherOrganization } = round.observer
  const parents = otherOrganization === null ? [] : [':other_organization_id']
  for (const parent of [...parents, ':organization_id']) {
    const path = extra.path.replace(':organization_id', parent)
    const { answer } = await answerOf(round, { ...extra, path })
    if (isPlugin(answer.body)) {
      if (answer.body.id === 0) return 'empty_plugin'
      continue
    }
    if (answer.status !== 404) return null
    // The same message as for a missing row, and not that of a missing path.
    const missing = errorDetail(await round.missingRow())
    const unknown = await round.get('/api/understudy_unknown/', {
      key: round.baseKey,
      id: round.number,
    })
    const isMissing = missing !== null && errorDetail(answer) === missing
    if (isMissing && errorDetail(unknown) !== missing) return 'not_found'
  }
  return null
}

function scopeProbe(name: ExtraName, writes?: true, unless?: string): Probe {
  const extra = extras[name]
  return {
    shows: 'the statuses with several keys',
    key: scopeKey,
    ...(writes && { writes }),
    ...(unless && { unless }),
    ...(extra.needsLevel && {
      unless: 'Keys with scopes are refused, there is no key `old`, and writes are not allowed.',
    }),
    async observe(round) {
      const { answer: allowed, isRefused } = await answerOf(round, extra)
      if (isRefused) return 'refused'
      byStatus(allowed, successes(extra))
      const key = round.keys.lacking('plugin')
      const answer = await requestExtra(round, extra, key)
      if (byStatus<boolean>(answer, { [round.refusal]: false, ...successes(extra) })) {
        await round.requireKeys()
        return 'any_key'
      }
      await round.requireKnown(key, answer)
      return extra.scope
    },
  }
}

function bodyProbe(
  name: 'activity' | 'exports_unsubscribe_configs' | 'repository' | 'unused',
  plain: 'page' | 'configurations' | 'catalogue' | 'ids',
): Probe {
  return {
    shows: 'the shape of the response',
    key: '`old` if keys with scopes are refused',
    unless: 'It returns 404.',
    async observe(round) {
      const { body } = await respond(round, extras[name])
      if (isPlugin(body)) return 'plugin'
      if (Array.isArray(body) && plain !== 'page') return plain
      if (isObject(body) && Array.isArray(body.results)) {
        if ('count' in body) return 'envelope'
        if ('total_count' in body && plain === 'page') return plain
      }
      throw new NoSuchValue('The response has an unknown shape.')
    },
  }
}
