import { isObject } from '../../../utils/json.ts'
import {
  type Answer,
  byStatus,
  type ObserverKey,
  paths,
  type SentOptions,
  Unclear,
} from '../requests.ts'
import type { Round } from '../round.ts'

/** The operations besides create, read, update and delete. */
export type ExtraName =
  | 'activity'
  | 'exports_unsubscribe_configs'
  | 'repository'
  | 'unused'
  | 'source'
  | 'check_for_updates'
  | 'update_source'
  | 'upgrade'

export interface Extra {
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

export const extras: Readonly<Record<ExtraName, Extra>> = {
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
export async function respond(round: Round, extra: Extra): Promise<Answer> {
  const { answer } = await answerOf(round, extra)
  byStatus(answer, successes(extra))
  return answer
}

/** The statuses of a request that no permission stops. */
export function successes({ mayBeInvalid }: Extra): Record<number, true> {
  return { 200: true, ...(mayBeInvalid && { 400: true }) }
}

/** The response to a key with the scope; if that is refused, the response to one from before scopes existed. */
export async function answerOf(
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

export async function requestExtra(
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

export function isPlugin(body: unknown): body is { readonly id: number } {
  return isObject(body) && typeof body.id === 'number' && 'organization_id' in body
}
