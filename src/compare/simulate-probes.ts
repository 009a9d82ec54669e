import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import { otherAnswers } from '../explain/past-request.ts'
import { type ByValue, setByValue, type Trial, type TriedValue } from '../fit/fit-settings.ts'
import { checks, Failure, failureFormats, toApiError } from '../http/failures.ts'
import { type ApiResponse, bodyText, sentHeaders } from '../http/messages.ts'
import { play } from '../scenarios/run/play.ts'
import { createQuickSender, openQuickSimulator } from '../scenarios/run/simulator-sender.ts'
import { type SettingId, settingIds } from '../settings/setting.ts'
import type { Simulator } from '../simulator/simulator.ts'
import type { WorldJson } from '../world/world-json.ts'
import { type FilledRequest, fillProbe, type ServerIds } from './fill-probe.ts'
import type { ComparedKey } from './keys.ts'
import type { Probe } from './probes.ts'
import { causesBy, readSignature, type Signature, wrongKeyElsewhere } from './signature.ts'

/** What the answer of a simulator to a probe shows, and what it would with each other value that it used. */
export interface SimulatedProbe {
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
    const read = (response: ApiResponse): Signature => {
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

/** A probe as a step of a scenario. */
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

/** The organizations of the user. */
const ownOrganization = '018f2b6e-0000-7000-8000-00000000000a'
const otherOrganization = { id: '018f2b6e-0000-7000-8000-00000000000b', name: 'Initech' }

/** Rows of others that a service may or may not have. They decide together with the settings what lists show. */
export const worldTraits = {
  repository: ['some', 'none'],
  plugin_configs: ['some', 'none'],
  activity: ['some', 'none'],
} as const

/** The world in which probes are simulated: the keys of the server, the first row of each list of the fixture, and its catalogue. */
function probedWorld(keys: readonly ComparedKey[], traits: Trial['world']): WorldJson {
  const rows = Object.entries(fixture).map(([list, all]) => {
    const isEmpty = traits[list] === 'none'
    // The plugin is in the catalogue, but not first.
    const isShown = (_: unknown, index: number) =>
      !isEmpty && (index === 0 || list === 'repository')
    return [list, Array.isArray(all) ? all.filter(isShown) : all]
  })
  const { organizations, projects, users, ...others }: WorldJson = Object.fromEntries(rows)
  const withSecond = <Row>(list: readonly Row[] = [], changes: Partial<Row>): Row[] =>
    list.flatMap((row) => [row, { ...row, ...changes }])
  const { id } = otherOrganization
  return {
    ...others,
    organizations: withSecond(organizations, otherOrganization),
    projects: withSecond(projects, { id: 2, organization: id, uuid: id }),
    users: users?.map((user) => ({ ...user, organizations: [ownOrganization, id] })) ?? [],
    keys: keys.map((key) => ({ ...key, user: 1, projects: [], organizations: [] })),
  }
}

/** Opens a simulator with that world. */
function openProbedWorld(keys: readonly ComparedKey[], { world, settings }: Trial): Simulator {
  const clock = '2024-06-15T12:00:00Z'
  return openQuickSimulator({ world: probedWorld(keys, world), settings, clock })
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
