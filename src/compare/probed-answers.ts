import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import { otherAnswers } from '../explain/past-request.ts'
import type { Differences } from '../fit/answer-differences.ts'
import {
  type ByValue,
  type ComparedAnswer,
  type ServiceAnswers,
  setByValue,
  type Trial,
  type TriedValue,
} from '../fit/fit-settings.ts'
import { checks, Failure, failureFormats, toApiError } from '../http/failures.ts'
import { type ApiResponse, bodyText, sentHeaders } from '../http/messages.ts'
import { contentFields } from '../scenarios/run/differences.ts'
import { play } from '../scenarios/run/play.ts'
import { createQuickSender, openQuickSimulator } from '../scenarios/run/simulator-sender.ts'
import { type SettingId, settingIds } from '../settings/setting.ts'
import type { WorldJson } from '../world/world-json.ts'
import type { Use } from './comparison.ts'
import { type FilledRequest, fillProbe, type ServerIds } from './fill-probe.ts'
import type { ComparedKey } from './keys.ts'
import type { ObservedServer } from './observe-server.ts'
import { isCreation, isWriteProbe, type Probe, subjectsOf } from './probes.ts'
import { causesBy, readSignature, type Signature, valueIn, wrongKeyElsewhere } from './signature.ts'
import { differencesOf } from './signature-differences.ts'

/** What the answers of a server to probes show. They are simulated in a small world. */
export class ProbedAnswers implements ServiceAnswers {
  readonly profiles = ['live', 'documented'] as const
  readonly worlds = worldTraits
  readonly #probes: readonly Probe[]
  readonly #seen: ObservedServer['seen']
  readonly #unseen: ObservedServer['unseen']
  readonly #keys: readonly ComparedKey[]
  /** The labels of the keys that the server knows, and what has succeeded. */
  readonly #known: ReadonlySet<string>
  readonly #worked: ReadonlySet<string>
  readonly #limits: readonly number[]
  readonly #simulate: typeof simulateProbes
  readonly #simulated = new WeakMap<readonly ComparedAnswer[], readonly SimulatedProbe[]>()

  constructor(
    { probes, seen, unseen }: ObservedServer,
    keys: readonly ComparedKey[],
    simulate: typeof simulateProbes,
  ) {
    this.#simulate = simulate
    this.#probes = probes
    this.#keys = keys
    this.#seen = seen
    this.#unseen = unseen
    const succeeded = probes.filter((_, at) => seen[at]?.status === '2xx')
    this.#known = new Set(succeeded.flatMap(({ key }) => key ?? []))
    this.#worked = new Set(succeeded.flatMap(operationsOf))
    const limits = seen
      .map((signature) => valueIn(signature, 'limit'))
      .filter((limit) => typeof limit === 'number')
    // One that no answer shows is excluded by those that show one.
    this.#limits = [...new Set([...limits, Math.max(0, ...limits) + 1])]
  }

  async compare(trial: Trial, hasOthers = true): Promise<ComparedAnswer[]> {
    const limits = hasOthers ? this.#limits : null
    const simulated = await this.#simulate(this.#probes, this.#keys, trial, limits)
    const answers = simulated.map(({ signature, withOthers }, at): ComparedAnswer => {
      const byValue = new Map<SettingId, Map<TriedValue, Differences>>()
      for (const [id, signatures] of withOthers) {
        for (const [value, changed] of signatures) {
          const differences = this.#differences(at, changed)
          if (differences) setByValue(byValue, id, value, differences)
        }
      }
      return { differences: this.#differences(at, signature), withOthers: byValue }
    })
    this.#simulated.set(answers, simulated)
    return answers
  }

  #differences(at: number, simulated: Signature | null): Differences | null {
    const seen = this.#seen[at]
    if (!seen || !simulated || !this.#isBelieved(at)) return null
    const probe = this.#probes[at] as Probe
    const isSource = probe.path.endsWith('source/')
    const isOfContent = (field: string) => isSource || contentFields.test(field)
    return differencesOf(seen, simulated, isCreation(probe) ? undefined : isOfContent)
  }

  /** What can be concluded from the answer to each probe. @param answers those of the best simulator */
  uses(answers: readonly ComparedAnswer[]): Use[] {
    const simulated = this.#simulated.get(answers)
    const changed = new Set<string>()
    return this.#probes.map((_, at) => {
      const subjects = subjectsOf(at, this.#probes)
      const isOther = subjects.some((name) => changed.has(name))
      const { signature = null } = simulated?.[at] ?? {}
      if (this.#changesRows(at, signature)) for (const name of subjects) changed.add(name)
      const [seen, unseen] = [this.#seen[at], this.#unseen[at]]
      if (unseen) return unseen
      if (seen && !this.#isBelieved(at)) {
        const isMissing = ['404', '501'].includes(seen.status) && signature?.status === '2xx'
        return { why: isMissing ? 'missing' : 'unbelieved', got: `${seen.code}` }
      }
      if (!answers[at]?.differences) return { why: 'not_simulated', got: null }
      if (seen?.status === '413') return { why: 'too_large', got: null }
      return { why: isOther ? 'other_rows' : 'usable', got: null }
    })
  }

  /** A refusal is believed if the key is known, and the operation succeeds with another one or with other values. */
  #isBelieved(at: number) {
    const [probe, seen] = [this.#probes[at] as Probe, this.#seen[at]]
    const { key } = probe
    if (!seen || !this.#isChecked(key)) return false
    if (['2xx', '405', '415'].includes(seen.status)) return true
    const isUnknown =
      key !== null && key !== 'wrong' && key !== this.#keys[0]?.label && !this.#known.has(key)
    // Without the words of another error, it may be about the key.
    if (isUnknown && [undefined, 'wrong key'].includes(valueIn(seen, 'cause') as string))
      return false
    return probe.isOptional === true || operationsOf(probe).every((name) => this.#worked.has(name))
  }

  /** Whether the server makes a difference between a key and others. */
  #isChecked(key: string | null) {
    const isAccepted = (like: Probe['like']) =>
      this.#seen[this.#probes.findIndex((probe) => probe.like === like)]?.status === '2xx'
    if (isAccepted('missing key') && key === null) return false
    return !isAccepted('wrong key') || key === this.#keys[0]?.label
  }

  /** Only what lasts makes another row: whether it exists, and where. */
  #changesRows(at: number, simulated: Signature | null) {
    const probe = this.#probes[at] as Probe
    if (!isWriteProbe(probe)) return false
    const seen = this.#seen[at]
    const lasting = ['deleted', 'is_global'].filter(
      (name) => typeof probe.body?.[name] === 'boolean',
    )
    if ((seen?.status === '2xx') !== (simulated?.status === '2xx')) {
      return lasting.length > 0 || probe.save !== undefined || probe.method === 'DELETE'
    }
    const isOther = (name: string) =>
      valueIn(seen, `kept ${name}`) !== valueIn(simulated, `kept ${name}`)
    return seen?.status === '2xx' && lasting.some(isOther)
  }
}

/** What has to succeed before a refusal is believed: the operation, also with these fields, and any one beside it. */
function operationsOf({ method, path, body = {} }: Probe) {
  // The same rows are at another path.
  const usual = path
    .replace('projects/@current', 'projects/:project')
    .replace(/:other|@current/, ':org')
    .replace(':missing', '{}')
  const operation = `${method} ${usual.replace(/\?.*/, '').replace(/\{\w+\}/, '{}')}`
  // A field may be refused whatever its value is.
  const fields = method === 'PATCH' && !('personal_api_key' in body) ? Object.keys(body) : []
  const parent = /^\/api\/\w+(\/:\w+)?/.exec(usual)?.[0] ?? path
  return [operation, [operation, ...fields].join(' '), parent]
}

/** What the answer of a simulator to a probe shows, and what it would with each other value that it used. */
interface SimulatedProbe {
  /** Null if the probe cannot be sent */
  readonly signature: Signature | null
  readonly withOthers: ByValue<Signature>
}

/** The settings of whole numbers that probes show. */
const limitIds = settingIds.filter((id) => id.endsWith('.limit.default'))

/**
 * Sends probes to a simulator, and each again with each other value of the settings that it used.
 *
 * @param limits the numbers that default limits are tried with. Null to send each probe once
 */
export async function simulateProbes(
  probes: readonly Probe[],
  keys: readonly ComparedKey[],
  trial: Trial,
  limits: readonly number[] | null,
): Promise<SimulatedProbe[]> {
  const simulator = openProbedWorld(keys, trial)
  const { state } = simulator
  const ids = probedIds(keys)
  const names = new Map(probes.flatMap(({ save }) => (save ? [[save, `{${save}}`]] : [])))
  const numbers = Object.fromEntries(limitIds.map((id) => [id, limits ?? []]))
  const answers: SimulatedProbe[] = []
  const filled = probes.map((probe) => fillProbe(probe, ids, names) as FilledRequest)
  const steps = probes.map((probe, at) => toStep(probe, filled[at] as FilledRequest))
  const sender = await createQuickSender(simulator)
  for await (const { index, saved, record } of play({ steps }, sender)) {
    const probe = probes[index] as Probe
    const { values } = filled[index] as FilledRequest
    const rows = new Map([...saved.all()].map(([name, id]) => [name, `${id}`]))
    rows.delete('base_url')
    const read = (response: ApiResponse) => {
      const { status, body } = response
      const headers = new Headers(sentHeaders(response))
      const failure = failureOf(response, Object.keys(values), probe)
      const text = bodyText(body)
      return readSignature({
        probe,
        base: sender.baseUrl,
        values,
        rows,
        status,
        headers,
        text,
        failure,
      })
    }
    const withOthers = new Map<SettingId, Map<TriedValue, Signature>>()
    for (const { id, value, answer } of record && limits
      ? otherAnswers(record, state, numbers)
      : [])
      setByValue(withOthers, id, value, read(answer))
    const response = record && { ...record.response, failure: record.failure }
    answers.push({ signature: response && read(response), withOthers })
  }
  const withCause = causesBy(
    probes,
    answers.map(({ signature }) => signature),
  )
  return answers.map(({ signature, withOthers }) => ({
    signature: signature && withCause(signature),
    withOthers: new Map(
      [...withOthers].map(([id, byValue]) => [
        id,
        new Map([...byValue].map(([value, changed]) => [value, withCause(changed)])),
      ]),
    ),
  }))
}

/** The error of a response, and the fields for whose values it may be: none if it was refused before they were read. */
function failureOf({ failure, status }: ApiResponse, sent: readonly string[], { key }: Probe) {
  if (!failure) return undefined
  const { name, details } = failure
  const { attr, check = failureFormats[name].check } = details
  const isEarlier = checks.indexOf(check) <= checks.indexOf('row')
  const refused = attr !== undefined ? [attr] : isEarlier ? [] : sent
  // By a setting, a missing scope looks like a missing row.
  const isHidden = name === 'permission_denied' && status === 404
  // A service can word a wrong key in a query or a body as one in the header, or otherwise.
  if (name === 'authentication_failed' && key === null)
    return { error: {}, refused, cause: wrongKeyElsewhere }
  return { error: toApiError(isHidden ? new Failure('not_found') : failure), refused }
}

function toStep({ key, save }: Probe, { method, path, headers, body }: FilledRequest) {
  const { authorization: _, ...others } = headers
  return {
    ...{ method, path, headers: others },
    ...(key !== null && { as: key }),
    ...(body !== undefined && { text: body }),
    ...(save !== undefined && { save: { [save]: method === 'GET' ? '/results/0/id' : '/id' } }),
    expect: {},
  }
}

const fixture = defaultWorld as WorldJson

const ownOrganization = '018f2b6e-0000-7000-8000-00000000000a'
const otherOrganization = { id: '018f2b6e-0000-7000-8000-00000000000b', name: 'Initech' }

/** Rows of others that a service may or may not have. They decide together with the settings what lists show. */
export const worldTraits = {
  repository: ['some', 'none'],
  plugin_configs: ['some', 'none'],
  activity: ['some', 'none'],
} as const

/** Opens the world in which probes are simulated: the keys of the server, the first row of each list of the fixture, and its catalogue. */
function openProbedWorld(keys: readonly ComparedKey[], trial: Trial) {
  const { world: traits, settings } = trial
  const rows = Object.entries(fixture).map(([list, all]) => {
    const isEmpty = traits[list] === 'none'
    // The plugin is in the catalogue, but not first.
    const isShown = (_: unknown, index: number) =>
      !isEmpty && (index === 0 || list === 'repository')
    return [list, Array.isArray(all) ? all.filter(isShown) : all]
  })
  const { organizations, projects, users, ...others }: WorldJson = Object.fromEntries(rows)
  const withSecond = <Row>(list: readonly Row[] = [], changes: Partial<Row>) =>
    list.flatMap((row) => [row, { ...row, ...changes }])
  const { id } = otherOrganization
  const world = {
    ...others,
    organizations: withSecond(organizations, otherOrganization),
    projects: withSecond(projects, { id: 2, organization: id, uuid: id }),
    users: users?.map((user) => ({ ...user, organizations: [ownOrganization, id] })) ?? [],
    keys: keys.map((key) => ({ ...key, user: 1, projects: [], organizations: [] })),
  }
  return openQuickSimulator({ world, settings, clock: '2024-06-15T12:00:00Z' })
}

/** Where the probes find that world. */
function probedIds(keys: readonly ComparedKey[]): ServerIds {
  return {
    project: '1',
    org: ownOrganization,
    other: otherOrganization.id,
    missing: '99999999',
    marker: 'marker',
    keys: Object.fromEntries(keys.map(({ label, value }) => [label, value])),
  }
}
