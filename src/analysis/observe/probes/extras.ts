import { isObject } from '../../../utils/json.ts'
import {
  type Answer,
  byStatus,
  errorDetail,
  NoSuchValue,
  type ObserverKey,
  paths,
  type SentOptions,
  Unclear,
} from '../requests.ts'
import type { Probe, Probes, Round } from '../round.ts'

const scopeKey = 'a key without scopes of plugins; if keys with scopes are refused, `old`'

const isCrashing = 'The server stores no url, and fails for a plugin without one.'

/** The operations besides create, read, update and delete. */
type ExtraName =
  | 'activity'
  | 'exports_unsubscribe_configs'
  | 'repository'
  | 'unused'
  | 'source'
  | 'check_for_updates'
  | 'update_source'
  | 'upgrade'

interface Extra {
  readonly path: string
  readonly method: 'GET' | 'PATCH' | 'POST'
  readonly scope: 'plugin:read' | 'plugin:write'
  /** The plugin of the path. Undefined for the four lists */
  readonly plugin?: (round: Round) => Promise<number>
  readonly body?: object
  /** Whether the operation also needs a high access level of the organization */
  readonly needsLevel?: true
  /** Whether a server may refuse the body */
  readonly mayBeInvalid?: true
}

const listed = (round: Round): Promise<number> =>
  round.observer.options.allowWrites
    ? round.observer.own.plugin(round)
    : round.row(paths.plugins, round.keys.for('plugin:read')).then(({ id }) => id)
const owned = (round: Round): Promise<number> => round.observer.own.plugin(round)

function list(name: ExtraName): Extra {
  return { path: `${paths.plugins}${name}/`, method: 'GET', scope: 'plugin:read' }
}

const extras: Readonly<Record<ExtraName, Extra>> = {
  activity: list('activity'),
  exports_unsubscribe_configs: list('exports_unsubscribe_configs'),
  repository: list('repository'),
  unused: list('unused'),
  source: { ...list('source'), path: `${paths.plugin}source/`, plugin: listed, needsLevel: true },
  // It changes latest_tag, although it is a GET.
  check_for_updates: {
    ...list('check_for_updates'),
    path: `${paths.plugin}check_for_updates/`,
    plugin: owned,
  },
  update_source: {
    path: `${paths.plugin}update_source/`,
    method: 'PATCH',
    scope: 'plugin:write',
    plugin: owned,
    body: { 'understudy.txt': 'understudy' },
  },
  upgrade: {
    path: `${paths.plugin}upgrade/`,
    method: 'POST',
    scope: 'plugin:write',
    plugin: owned,
    body: { is_global: 'understudy' },
    mayBeInvalid: true,
  },
}

/** The response to a key that may use the operation. @throws Unclear if no key may */
async function respond(round: Round, extra: Extra): Promise<Answer> {
  const { answer } = await answerOf(round, extra)
  byStatus(answer, successes(extra))
  return answer
}

/** The statuses of a request that no permission stops. */
function successes({ mayBeInvalid }: Extra): Record<number, true> {
  return { 200: true, ...(mayBeInvalid && { 400: true }) }
}

/** The response to a key with the scope; if that is refused, the response to one from before scopes existed. */
async function answerOf(
  round: Round,
  extra: Extra,
): Promise<{ answer: Answer; isRefused: boolean }> {
  const key = round.keys.for(extra.scope)
  const answer = await requestExtra(round, extra, key)
  if (answer.status !== round.refusal || key.scopes === null) return { answer, isRefused: false }
  const old = round.keys.find('old')
  if (old) {
    const other = await requestExtra(round, extra, old)
    return { answer: other, isRefused: other.status !== answer.status }
  }
  // Without that key, a refusal must not have another reason: the scope, a low access level, or a missing row.
  const isOwn = round.observer.options.allowWrites || !extra.needsLevel
  const isCertain = key.label === 'all' && answer.status === 403 && isOwn
  if (isCertain) return { answer, isRefused: true }
  throw new Unclear('It needs a key from before scopes existed: --key old=KEY.')
}

async function requestExtra(
  round: Round,
  { path, method, plugin, body }: Extra,
  key: ObserverKey,
): Promise<Answer> {
  await checkOrganization(round)
  const options: SentOptions = { key, ...(plugin && { id: await plugin(round) }) }
  if (method === 'GET') return round.get(path, { ...options, query: { limit: round.number } })
  return round.once(`${method} ${path} ${key.label}`, () =>
    round.send(method, path, { ...options, ...(body && { body }) }),
  )
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
