import { isObject } from '../../../utils/json.ts'
import {
  type Answer,
  byStatus,
  errorDetail,
  NoSuchValue,
  type ObserverKey,
  paths,
  Unclear,
} from '../requests.ts'
import type { Probes, Round } from '../round.ts'

const lists = ['unused', 'repository', 'exports_unsubscribe_configs', 'activity'] as const

type ListName = (typeof lists)[number]

/** The response to a key with the scope; if that is refused, the response to one from before scopes existed. */
async function answerOf(
  round: Round,
  name: ListName,
  organization?: string,
): Promise<{ answer: Answer; isRefused: boolean }> {
  const key = round.keys.for('plugin:read')
  const answer = await requestList(round, name, key, organization)
  if (answer.status !== round.refusal || key.scopes === null) return { answer, isRefused: false }
  const old = round.keys.find('old')
  if (old) {
    const other = await requestList(round, name, old, organization)
    return { answer: other, isRefused: other.status !== answer.status }
  }
  // Without that key, a refusal must not have another reason.
  if (key.label === 'all' && answer.status === 403) return { answer, isRefused: true }
  throw new Unclear('It needs a key from before scopes existed: --key old=KEY.')
}

async function requestList(
  round: Round,
  name: ListName,
  key: ObserverKey,
  organization = ':organization_id',
): Promise<Answer> {
  await checkOrganization(round)
  const path = paths.plugins.replace(':organization_id', organization)
  return round.get(`${path}${name}/`, { key, query: { limit: round.number } })
}

/** A plugin of its own, or a readable list, shows that a refusal is not about the organization. @throws Unclear */
async function checkOrganization(round: Round): Promise<void> {
  const { options, own } = round.observer
  const page = () => round.page(paths.plugins, round.keys.for('plugin:read'))
  if (options.allowWrites) await own.plugin(round).catch(page)
  else await page()
}

function isPlugin(body: unknown): body is { readonly id: number } {
  return isObject(body) && typeof body.id === 'number' && 'organization_id' in body
}

export const extraProbes: Probes = {
  'plugins.extras.scope': {
    shows: 'the statuses of GET …/unused with several keys',
    key: 'a key without scopes of plugins; if keys with scopes are refused, `old`',
    async observe(round) {
      const { answer: allowed, isRefused } = await answerOf(round, 'unused')
      if (isRefused) return 'refused'
      byStatus(allowed, { 200: true })
      const key = round.keys.lacking('plugin')
      const answer = await requestList(round, 'unused', key)
      if (byStatus<boolean>(answer, { [round.refusal]: false, 200: true })) {
        await round.requireKeys()
        return 'any_key'
      }
      await round.requireKnown(key, answer)
      return 'plugin_scopes'
    },
  },
  'plugins.extras.body': {
    shows: 'the shape of the response to GET …/unused',
    key: '`old` if keys with scopes are refused',
    unless: 'It returns 404.',
    async observe(round) {
      const { answer } = await answerOf(round, 'unused')
      byStatus(answer, { 200: true })
      const { body } = answer
      if (isPlugin(body)) return 'plugin'
      if (Array.isArray(body)) return 'own'
      if (isObject(body) && Array.isArray(body.results) && 'count' in body) return 'envelope'
      throw new NoSuchValue('The response has an unknown shape.')
    },
  },
  'plugins.upgrade.effect': {
    hidden: 'It would need to install a plugin of the catalogue.',
  },
  'plugins.extras.none': {
    shows: 'the response of a list that returns a plugin if none matches',
    key: '`old` if keys with scopes are refused',
    unless: 'In each list that returns a plugin, some plugin matches, or errors have no message.',
    async observe(round) {
      if (round.observer.found.get('plugins.extras.body') === 'plugin') {
        for (const name of lists) {
          const value = await noneOf(round, name)
          if (value !== null) return value
        }
      }
      throw new Unclear('No list that returns a plugin was found without a match.')
    },
  },
  'plugins.extras.crashes': {
    hidden: 'It would crash the server.',
  },
}

/** What a list returns if no plugin matches. Null if one matches, or if it returns no plugin */
async function noneOf(round: Round, name: ListName): Promise<'empty_plugin' | 'not_found' | null> {
  const { otherOrganization } = round.observer
  const parents = otherOrganization === null ? [] : [':other_organization_id']
  for (const parent of [...parents, ':organization_id']) {
    const { answer } = await answerOf(round, name, parent)
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
