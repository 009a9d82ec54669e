import type { Exchange } from '../http/exchange.ts'
import { isSuccess, parseInteger } from '../http/messages.ts'
import { isRequestStep } from '../scenarios/format/scenario.ts'
import { KeyLabeler } from '../scenarios/recording/hide.ts'
import { type RecorderOptions, recordSteps } from '../scenarios/recording/recorder.ts'
import { parseUuid } from '../utils/python.ts'
import { formatIsoTime } from '../world/clock/clock.ts'
import { tellClientsApart } from './clients-seen.ts'
import { lacksKey, saysUnknownKey, withHiddenFilled, withSentFields } from './complete-exchanges.ts'
import { findDoubleCreates } from './double-creates.ts'
import type { Requests } from './find-history.ts'
import type { SeenLists } from './history.ts'
import { type Observation, readObservation } from './observation.ts'
import { inProcessedOrder, measureSkew, type Skew, startOf } from './order.ts'
import { RowsSeen } from './rows-seen.ts'
import { measureThrottling, type Throttling } from './throttling.ts'

/** Puts ids in place of `@current` in paths, so that its rows are among those of the project or organization. */
function resolveCurrent(observations: readonly Observation[]): Observation[] {
  const successes = observations.filter(({ status }) => isSuccess(status))
  const projects = successes.flatMap(({ operation, params, rows }) =>
    operation === 'listProjects'
      ? rows.map(({ id }) => Number(id))
      : (parseInteger(params.project_id ?? '') ?? []),
  )
  const [project = 1] = projects.sort((a, b) => a - b)
  const [organization] = successes
    .filter(({ params }) => params.organization_id === '@current')
    .flatMap(({ rows }) => rows.flatMap((row) => parseUuid(String(row.organization_id)) ?? []))
  const ids: Readonly<Record<string, string | undefined>> = {
    project_id: String(project),
    organization_id: organization,
  }
  return observations.map((observation) => {
    const params = Object.entries(observation.params).map(([name, value]) => {
      return [name, (value === '@current' && ids[name]) || value]
    })
    return { ...observation, params: Object.fromEntries(params) }
  })
}

/** Exchanges, and what they say about the service. */
export interface ReadTraffic {
  /** The exchanges as steps send them, in their order */
  readonly sent: readonly Exchange[]
  /** The indexes of the exchanges whose bodies were not recorded, and are filled in */
  readonly filled: ReadonlySet<number>
  /** In the order in which the service processed the requests */
  readonly observations: readonly Observation[]
  readonly seen: SeenLists
  readonly skew: Skew | null
  /** How long a test delays creates that were sent twice, by their indexes */
  readonly doubled: ReadonlyMap<number, number>
  /** What is made up in responses, and which clients had one key, in sentences */
  readonly warnings: readonly string[]
  /** The time of the first request by the clock of the service. Undefined without requests */
  readonly clock: string | undefined
  readonly throttling: Throttling
  /** In the order of the observations. A step has the values of the recording, secrets, too */
  readonly requests: Requests
}

export function readTraffic(
  exchanges: readonly Exchange[],
  { baseUrl, keys }: RecorderOptions,
): ReadTraffic {
  const labeler = new KeyLabeler(keys)
  const shown = exchanges.map(withHiddenFilled)
  const completed = shown.map(({ exchange }) => withSentFields(exchange))
  const named = completed.map((exchange) => labeler.withLabel(exchange))
  const showsKeys = named.some(({ key }) => typeof key === 'string')
  // Exports of browsers leave keys out.
  const labelled = named.map((exchange) =>
    lacksKey(exchange, showsKeys) ? { ...exchange, key: 'key' } : exchange,
  )
  const { exchanges: sent, warnings } = tellClientsApart(withoutRefusedKeys(labelled))
  const inOrder = resolveCurrent(inProcessedOrder(sent.map(readObservation)))
  const doubled = findDoubleCreates(inOrder)
  const observations = inOrder.map((observation) => {
    const delay_ms = doubled.get(observation.index)
    return delay_ms ? { ...observation, effect: { delay_ms } } : observation
  })
  const skew = measureSkew(observations)
  const [first] = observations
  const items = observations.map(({ index }) => ({ exchange: sent[index] as Exchange }))
  const { steps, stepOf } = recordSteps(items, { baseUrl, keys, isRaw: true })
  return {
    ...{
      sent,
      observations,
      skew,
      doubled,
      warnings: [...describeHidden(shown), ...warnings],
    },
    filled: new Set(
      completed.flatMap((exchange, at) => (exchange === shown[at]?.exchange ? [] : at)),
    ),
    seen: {
      annotations: new RowsSeen('annotations', observations),
      plugins: new RowsSeen('plugins', observations),
    },
    clock: first && startTime(first, skew?.median ?? 0),
    throttling: measureThrottling(observations, sent),
    requests: observations.map((observation, at) => {
      const step = steps[stepOf[at] ?? -1]
      return { observation, step: step && isRequestStep(step) ? step : null }
    }),
  }
}

function describeHidden(shown: readonly { readonly hidden: readonly string[] }[]): string[] {
  const names = [...new Set(shown.flatMap(({ hidden }) => hidden))]
  return names.length === 0
    ? []
    : [`Made up, because no world can have what the archive shows: the ${names.join(', the ')}.`]
}

/** A key that the service never accepted is not in the derived world, so steps cannot name it. */
function withoutRefusedKeys(exchanges: readonly Exchange[]): Exchange[] {
  const accepted = new Set(
    exchanges.flatMap((exchange) =>
      exchange.response.status === 401 || saysUnknownKey(exchange) ? [] : (exchange.key ?? []),
    ),
  )
  return exchanges.map((exchange) => {
    const { key } = exchange
    return typeof key === 'string' && !accepted.has(key) ? { ...exchange, key: null } : exchange
  })
}

/** The time of the first request by the clock of the service: ISO 8601, UTC. */
function startTime(first: Observation, skew: number): string {
  return formatIsoTime(Math.floor(startOf(first, skew) / 1000) * 1000)
}
