import { endpointOf } from '../api/endpoints.ts'
import { isSuccess } from '../http/messages.ts'
import type { RequestStep } from '../scenarios/format/scenario.ts'
import { profiles } from '../settings/profiles.ts'
import { resolveSettings } from '../settings/resolve.ts'
import { choose, isPerSetting, type SettingValues } from '../settings/setting.ts'
import { parseUuid } from '../utils/python.ts'
import { scopeObjects } from '../world/world-format.ts'
import type { WorldJson } from '../world/world-json.ts'
import type { Requests } from './find-history.ts'
import { isUsual, type Observation } from './observation.ts'
import { parentOf } from './rows-seen.ts'
import { TrafficReplay } from './traffic-replay.ts'

/** What a key may do, as far as it is assumed. */
interface KeyAccess {
  /** Null for a key without scopes, which may do everything */
  readonly scopes: readonly string[] | null
  /** Set for a key that is limited to the projects, or the organizations, of its successes */
  readonly limit?: 'projects' | 'organizations'
  /** The places of which its user is no member, as in paths */
  readonly foreign?: ReadonlySet<string>
}

/** What the keys may do, and where. */
export interface Access {
  /** By their labels */
  readonly keys: ReadonlyMap<string, KeyAccess>
  /** The access levels of organizations for plugins */
  readonly levels: ReadonlyMap<string, number>
  /** The projects and organizations that do not exist, as in paths */
  readonly missing: ReadonlySet<string>
}

type Request = Requests[number]

/** An assumption, and the requests whose answers it can change. */
interface Option {
  /** Whether a key may do just what it did, by any value of the settings */
  readonly isOfUse?: boolean
  readonly change: (access: Access) => Access
  readonly concerns: (observation: Observation) => boolean
}

/** A simulator that is tried, and how much its answers are like the recorded ones. */
interface Trial {
  readonly settings: SettingValues
  scores: readonly number[]
}

/** How many requests of each key are tried. */
const maxTried = 40

/**
 * Finds what keys may do: of all assumptions, those with which most requests are refused as they were, and no others. None
 * is tried if no request was refused.
 *
 * @param settings by default those of the profile that explains more. A value of a setting that explains a refusal is tried,
 *   too: no assumption takes its place
 * @param worldOf the accounts, and no rows
 */
export async function accessOf(
  requests: readonly Request[],
  settings: SettingValues | undefined,
  worldOf: (access: Access) => WorldJson,
): Promise<Access> {
  const known = requests.filter(
    ({ observation: { key, status } }) => key !== null && status !== 401,
  )
  const observations = known.map(({ observation }) => observation)
  const labels = [...new Set(observations.map(({ key }) => key as string))]
  const scopesOf = (label: string) => [
    isScope(label) && scopesUsed(label, observations).every((scope) => scope === label)
      ? label
      : '*',
  ]
  const start: Access = {
    keys: new Map(labels.map((label) => [label, { scopes: scopesOf(label) }])),
    ...{ levels: new Map(), missing: new Set() },
  }
  const options = [
    ...labels.flatMap((label) => optionsOfKey(label, observations)),
    ...optionsOfPlaces(observations),
  ]
  if (options.length === 0) return start
  const tried = chooseTried(known)
  const trials: Trial[] = []
  const withAll = (some: readonly Option[]) => some.reduce((all, { change }) => change(all), start)
  const limited = withAll(options.filter(({ isOfUse }) => isOfUse))
  for (const base of settings ? [settings] : profiles.map((name) => resolveSettings(name))) {
    const others = new Map<string, SettingValues>()
    const onWrong = ({ observation }: Request, replay: TrafficReplay): void => {
      for (const { id, value, answer } of replay.otherAnswers())
        if (answer.status === observation.status)
          others.set(`${id}=${value}`, { ...base, [id]: value })
    }
    trials.push({ settings: base, scores: await play(base, start, [], all, onWrong) })
    await play(base, limited, [], all, onWrong)
    for (const other of others.values())
      trials.push({ settings: other, scores: await play(other, start, [], all) })
  }
  const tryOptions = (some: readonly Option[], { concerns }: Option) =>
    Promise.all(trials.map((trial) => play(trial.settings, withAll(some), trial.scores, concerns)))
  const take = (scores: readonly Trial['scores'][]): void => {
    for (const [at, trial] of trials.entries()) trial.scores = scores[at] as Trial['scores']
  }
  let taken: readonly Option[] = []
  for (;;) {
    let best: readonly [readonly Option[], readonly Trial['scores'][]] | null = null
    for (const option of options) {
      const scores = await tryOptions([...taken, option], option)
      const before = best?.[1] ?? trials.map((trial) => trial.scores)
      if (highest(scores) > highest(before)) best = [[...taken, option], scores]
    }
    if (!best) break
    taken = best[0]
    take(best[1])
  }
  // Later assumptions can make earlier ones needless.
  for (const option of taken) {
    const others = taken.filter((other) => other !== option)
    const scores = await tryOptions(others, option)
    if (highest(scores) < highest(trials.map((trial) => trial.scores))) continue
    taken = others
    take(scores)
  }
  return withAll(taken)

  /** @param before the scores of the other requests @param onWrong called for each answer that is another one */
  async function play(
    values: SettingValues,
    access: Access,
    before: Trial['scores'],
    concerns: Option['concerns'],
    onWrong: (request: Request, replay: TrafficReplay) => void = () => {},
  ): Promise<Trial['scores']> {
    const replay = await TrafficReplay.open(worldOf(access), values, undefined)
    const moment = replay.mark()
    const scores = [...before]
    for (const [at, request] of tried.entries()) {
      if (!concerns(request.observation)) continue
      const answer = await replay.send(request.step as RequestStep)
      scores[at] = likeness(request.observation, answer)
      if (scores[at] === 0) onWrong(request, replay)
      replay.goBack(moment)
    }
    return scores
  }
}

const all = () => true

function highest(trials: readonly Trial['scores'][]): number {
  return Math.max(...trials.map((scores) => scores.reduce((sum, score) => sum + score, 0)))
}

function optionsOfKey(label: string, observations: readonly Observation[]): Option[] {
  const concerns = ({ key }: Observation) => key === label
  const own = observations.filter(concerns)
  const refused = own.filter(isRefusal)
  const successes = own.filter(({ status }) => isSuccess(status))
  const used = scopesUsed(label, observations)
  const reachable = new Set(successes.map(parentOf))
  const foreign = new Set(refused.map(parentOf).filter((place) => !reachable.has(place)))
  const isRefusedToOthers = observations.some(
    (other) =>
      !concerns(other) &&
      isRefusal(other) &&
      successes.some(({ operation }) => operation === other.operation),
  )
  const sure = scopesUsed(label, observations, true)
  const scopes = used.length > 0 ? [used] : scopeObjects.map((name) => [`${name}:read`]).reverse()
  const parts: (Partial<KeyAccess> & Pick<Option, 'isOfUse'>)[] = [
    ...(isRefusedToOthers ? [{ scopes: null }] : []),
    ...(refused.length > 0 ? scopes.map((list) => ({ scopes: list })) : []),
    ...(refused.length > 0 && sure.length > 0 ? [{ scopes: sure, isOfUse: true }] : []),
    ...(foreign.size > 0 ? [{ foreign }] : []),
    ...(refused.length > 0 && successes.some(({ params }) => params.project_id)
      ? [{ limit: 'projects' as const }]
      : []),
    ...(refused.length > 0 ? [{ limit: 'organizations' as const }] : []),
  ]
  return parts.map(({ isOfUse = false, ...part }) => ({
    concerns,
    isOfUse,
    change: ({ keys, ...access }) => {
      const key = { ...(keys.get(label) as KeyAccess), ...part }
      return { ...access, keys: new Map(keys).set(label, key) }
    },
  }))
}

function optionsOfPlaces(observations: readonly Observation[]): Option[] {
  const failed = observations.filter(({ status }) => status === 403 || status === 404)
  return [...new Set(failed.map(parentOf))].flatMap((place) => {
    const concerns = (observation: Observation) => parentOf(observation) === place
    const own = observations.filter(concerns)
    const isGone = place !== '' && own.every(({ status }) => status === 404)
    const organization = parseUuid(place)
    const isLow = own.some(({ list, status }) => list === 'plugins' && status === 403)
    const changes: Option['change'][] = [
      ...(isGone
        ? [(access: Access) => ({ ...access, missing: new Set([...access.missing, place]) })]
        : []),
      ...(organization !== undefined && isLow ? [3, 0] : []).map((level) => (access: Access) => ({
        ...access,
        levels: new Map(access.levels).set(String(organization), level),
      })),
    ]
    return changes.map((change) => ({ concerns, change }))
  })
}

/** The same refusal says more than the same status. Without rows, what is not refused says nothing. */
function likeness(
  observation: Observation,
  { status, differing }: { readonly status: number; readonly differing: number },
): number {
  const wasRefused = isRefusal(observation)
  if (wasRefused !== isRefusal({ ...observation, status })) return 0
  if (wasRefused && observation.status !== status) return 0
  return observation.status >= 400 && differing === 0 ? 30 : 10
}

/** Whether a key was refused something. A list has no row that could be missing. */
function isRefusal({ status, params }: Observation): boolean {
  return status === 401 || status === 403 || (status === 404 && params.id === undefined)
}

/** Some requests of each key, each with another answer: first those that were refused. */
function chooseTried(requests: readonly Request[]): Request[] {
  const counts = new Map<string | null, number>()
  const kinds = new Map<string, Request>()
  for (const request of requests) {
    const { observation } = request
    const { key, method, operation, status, refusal } = observation
    const kind = JSON.stringify([key, method, operation, parentOf(observation), status, refusal])
    if (request.step && isUsual(observation) && !kinds.has(kind)) kinds.set(kind, request)
  }
  const isLater = ({ observation }: Request) => Number(!isRefusal(observation))
  const refusedFirst = [...kinds.values()].sort((a, b) => isLater(a) - isLater(b))
  return refusedFirst.filter(({ observation: { key } }) => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return (counts.get(key) ?? 0) <= maxTried
  })
}

const documented = resolveSettings('documented')

/**
 * The scopes that the documentation says of the requests of a key that succeeded.
 *
 * @param isSure leaves out those that a setting can change
 */
function scopesUsed(label: string, observations: readonly Observation[], isSure = false): string[] {
  const scopes = observations.flatMap(({ key, operation, status }) => {
    const endpoint = key === label && isSuccess(status) ? endpointOf(operation) : undefined
    if (!endpoint || (isSure && isPerSetting(endpoint.scope))) return []
    return choose(endpoint.scope, documented)
  })
  return [...new Set(scopes)].filter(isScope).sort()
}

function isScope(text: string): boolean {
  return /^[a-z_]+:(?:read|write)$/.test(text)
}
