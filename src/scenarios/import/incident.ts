import type { SimulatorReplayOptions } from '../../explain/replay-in-simulator.ts'
import { findClientMistakes } from '../../mistakes/client-mistakes.ts'
import { hasBrokenBody } from '../../mistakes/client-request.ts'
import { duplicateRow } from '../../mistakes/duplicate-rows.ts'
import { repeatedCreate } from '../../mistakes/repeated-creates.ts'
import type { ClientMistake } from '../../mistakes/rule.ts'
import { swallowedDelete } from '../../mistakes/swallowed-deletes.ts'
import { type FaultRule, withoutDelays } from '../../simulator/faults/fault.ts'
import { type FaultRequest, parseFaultRequest } from '../../simulator/faults/schema.ts'
import type { JournalEntry } from '../../simulator/journal/entry.ts'
import { matchesStatus } from '../../simulator/journal/filter.ts'
import type { Expectation } from '../../simulator/journal/verify.ts'
import { matchesPath } from '../../simulator/request-pattern.ts'
import type { WorldAccess } from '../../world/edit/world-access.ts'
import type { RequestStep, Scenario, Step } from '../format/scenario.ts'
import { fillForSending } from '../format/values.ts'
import { operationWords } from '../recording/step-title.ts'
import type { ReplayResult, StepResult } from '../run/result.ts'
import { countRows, type ExpectedRows, rowsWantedBy } from './expected-rows.ts'
import { countFailures, describeFailure, findOfDeletedRows, isRefused } from './failures.ts'

/** What went wrong in a scenario, and what a test of it expects instead. */
export interface Incident {
  /** A clause, such as `Create annotation: response lost after the write, and the retry made a duplicate` */
  readonly title: string
  /**
   * The faults of the scenario, each for the request that met it: a client meets them if all are added at the start. They
   * have no delays
   */
  readonly faults: readonly FaultRequest[]
  /** The recorded requests, in their order */
  readonly requests: readonly IncidentRequest[]
  /** What a test expects. The recorded requests break each of these */
  readonly expectations: readonly IncidentExpectation[]
  /** What a test expects, too: the rows that failed requests wanted, and that the recorded requests reached */
  readonly reached: readonly IncidentExpectation[]
  /** The failures that later requests repaired, as clauses */
  readonly repaired: readonly string[]
  /** The result of the scenario as it is */
  readonly result: ReplayResult
}

interface IncidentRequest {
  /** Counted from 1 */
  readonly step: number
  readonly title: string
  /** The label of its key */
  readonly key: string | undefined
}

/**
 * An expectation of a test: rows after all requests, requests that `journal.verify` finds, or a rule of clients that is
 * not broken.
 */
export type IncidentExpectation = {
  /** The failure that breaks it, as a clause */
  readonly failure: string
} & (
  | { readonly rows: ExpectedRows }
  | { readonly received: Expectation }
  | { readonly no_mistake: string }
)

/** A request step, and its entry in the journal. */
interface Exchanged {
  readonly step: StepResult
  readonly entry: JournalEntry
}

/**
 * Replays a scenario, and finds what went wrong: requests that failed and were not repaired by a later one, and mistakes
 * of the client.
 *
 * A failed write is repaired if the rows are in the end what it wanted, whatever was sent: one created row, no deleted
 * one, the values of a change. Another request is if a later one of the same method and path succeeds. A 404 for a row
 * that the client deleted itself is no failure.
 *
 * @param replay replays a scenario in a world of its own
 * @throws UsageError as `replay` does
 */
export async function findIncident(
  scenario: Scenario,
  replay: (scenario: Scenario, options: SimulatorReplayOptions) => Promise<ReplayResult>,
): Promise<Incident> {
  const exchanged: Exchanged[] = []
  let latest: JournalEntry | undefined
  let world: WorldAccess | undefined
  const result = await replay(scenario, {
    decide: false,
    wrapTarget(target) {
      world = target.world
      return {
        ...target,
        async send(request, signal) {
          const response = await target.send(request, signal)
          latest = await target.latest()
          return response
        },
      }
    },
    onStep(step) {
      // A request that the simulator does not handle has no entry.
      if (latest && latest.id !== exchanged.at(-1)?.entry.id)
        exchanged.push({ step, entry: latest })
      latest = undefined
    },
  })
  const entries = exchanged.map(({ entry }) => entry)
  const mistakes = findClientMistakes(entries)
  const { failures, reached, repaired } = findFailures(entries, world)
  const expectations = [...failures, ...toExpectations(mistakes, failures, reached)]
  return {
    title: describe(expectations),
    faults: scenario.steps.flatMap((step, index) => toFaults(step, index + 1, exchanged)),
    requests: exchanged.map(({ step }) => {
      const { as } = scenario.steps[step.step - 1] as RequestStep
      return { step: step.step, title: step.title, key: as }
    }),
    ...{ expectations, reached, repaired, result },
  }
}

/**
 * The faults of a step, with the requests before it skipped. A rule without `when` applies from its step on. Requests
 * of the recording that a rule matches are counted by operation, method, path and key.
 */
function toFaults(step: Step, number: number, exchanged: readonly Exchanged[]): FaultRequest[] {
  if (!('fault' in step)) return []
  // A client follows a link without an origin to the server that sent it.
  const sent = fillForSending(step.fault, new Map([['base_url', '']])) as FaultRequest
  if (parseFaultRequest(sent).every(({ rule }) => !withoutDelays(rule.effect))) return []
  if ('preset' in sent) return [sent]
  const fault = { ...sent, effect: withoutDelays(sent.effect) ?? sent.effect }
  const earlier = exchanged.filter((one) => one.step.step < number && isMatched(fault, one.entry))
  if (earlier.length === 0) return [fault]
  const { skip = 0, ...when } = fault.when ?? {}
  return [{ ...fault, when: { skip: skip + earlier.length, ...when } }]
}

function isMatched(
  { operation, method, path, key }: FaultRule,
  entry: Pick<JournalEntry, 'operation' | 'method' | 'path' | 'key'>,
): boolean {
  return (
    (operation === undefined || [operation].flat().some((id) => id === entry.operation)) &&
    (method === undefined || [method].flat().some((one) => one === entry.method)) &&
    (path === undefined || matchesPath(path, entry.path)) &&
    (key === undefined || key === entry.key?.label)
  )
}

interface Failures extends Pick<Incident, 'reached' | 'repaired'> {
  readonly failures: readonly IncidentExpectation[]
}

/** Finds the failed requests that nothing repairs. @param world the rows after all requests */
function findFailures(entries: readonly JournalEntry[], world: WorldAccess | undefined): Failures {
  const ofDeletedRows = findOfDeletedRows(entries)
  const reached: IncidentExpectation[] = []
  const repaired = new Set<string>()
  const failures = entries.flatMap((entry, index): IncidentExpectation[] => {
    if (isOk(entry) || ofDeletedRows.has(entry)) return []
    const what = `${operationOf(entry)}: ${describeFailure(entry)}`
    const isRepeated = entries.slice(index + 1).some((other) => isRepetition(entry, other))
    const isSwallowed = entry.operation === 'deleteAnnotation' && entry.response.status === 405
    const rows =
      world && (!isRefused(entry) || isSwallowed) ? rowsWantedBy(entry, entries, world) : null
    const found = rows && world ? countRows(rows, world) : 0
    if (rows ? found === rows.count : isRepeated) {
      repaired.add(isRepeated ? `${what}, retried` : what)
      if (rows) reached.push({ failure: what, rows })
      return []
    }
    if (!rows) return [{ failure: what, received: toReceived(entry, entries) }]
    const isDuplicate = isLostCreate(entry) && found > rows.count
    return [{ failure: isDuplicate ? `${what}, and the retry made a duplicate` : what, rows }]
  })
  return {
    failures: withoutRepeated(failures),
    reached: withoutRepeated(reached),
    repaired: [...repaired],
  }
}

function withoutRepeated(expectations: readonly IncidentExpectation[]): IncidentExpectation[] {
  return [
    ...new Map(
      expectations.map((each) => [JSON.stringify({ ...each, failure: '' }), each]),
    ).values(),
  ]
}

function isOk(entry: JournalEntry): boolean {
  return matchesStatus(entry.response.status, '2xx') && !hasBrokenBody(entry)
}

/** Whether a later request is the same one, and succeeds. */
function isRepetition(entry: JournalEntry, other: JournalEntry): boolean {
  return isOk(other) && other.method === entry.method && other.path === entry.path
}

/** Whether a create was carried out, although the client got no success. */
function isLostCreate({ changes }: JournalEntry): boolean {
  return changes.some(({ kind }) => kind === 'created')
}

/** What should have been received in place of a failure. */
function toReceived(entry: JournalEntry, entries: readonly JournalEntry[]): Expectation {
  const { status } = entry.response
  const operation = entry.operation ?? undefined
  if (operation === undefined || isRefused(entry)) {
    return { ...(operation !== undefined && { operation }), status, count: 0 }
  }
  const successes = entries.filter(
    (other) => other.operation === operation && matchesStatus(other.response.status, '2xx'),
  )
  return { operation, status: '2xx', at_least: successes.length + 1 }
}

function operationOf({ operation, method, path }: JournalEntry): string {
  return operation === null ? `${method} ${path}` : operationWords(operation)
}

/** The mistakes that a test expects not to happen: those that lost data, or else those that will one day. */
function toExpectations(
  mistakes: readonly ClientMistake[],
  failures: readonly IncidentExpectation[],
  reached: readonly IncidentExpectation[],
): IncidentExpectation[] {
  // The rows say more than the rule: a client may repeat a request that was not carried out.
  const hasRows = [...failures, ...reached].some((expectation) => 'rows' in expectation)
  const known: readonly string[] = hasRows
    ? [repeatedCreate.id, duplicateRow.id, swallowedDelete.id]
    : []
  const others = mistakes.filter(({ rule }) => !known.includes(rule))
  const errors = others.filter(({ level }) => level === 'error')
  const warnings = others.filter(({ level }) => level === 'warning')
  const chosen = errors.length + failures.length > 0 ? errors : warnings
  const rules = [...new Set(chosen.map(({ rule }) => rule))]
  return rules.map((rule) => ({
    failure: `mistake of the client: ${rule.replaceAll('-', ' ')}`,
    no_mistake: rule,
  }))
}

function describe(expectations: readonly IncidentExpectation[]): string {
  if (expectations.length === 0) return 'The recorded requests leave no failure'
  return countFailures(expectations.map(({ failure }) => failure))
}

/** What failed, as a clause: first what stayed, then what was repaired. Mistakes do not count. Undefined if nothing failed. */
export function titleOfFailures({ expectations, repaired }: Incident): string | undefined {
  const open = expectations.flatMap((one) => ('no_mistake' in one ? [] : one.failure))
  const failures = [...open, ...repaired]
  return failures.length === 0 ? undefined : countFailures(failures)
}
