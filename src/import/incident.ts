import type { ClientRequest } from '../mistakes/client-request.ts'
import { clientRules } from '../mistakes/mistake-finder.ts'
import type { ClientMistake, RowName } from '../mistakes/rule.ts'
import { Address } from '../mistakes/seen-request.ts'
import {
  isRequestStep,
  type RequestStep,
  type Scenario,
  type ScenarioTest,
  type Step,
  type TestExpectation,
} from '../scenarios/format/scenario.ts'
import { fillForSending } from '../scenarios/format/values.ts'
import {
  defaultPhase,
  type EffectName,
  effectTraits,
  type FaultEffect,
  type FaultRule,
} from '../simulator/faults/fault.ts'
import { type FaultRequest, parseFaultRequest } from '../simulator/faults/schema.ts'
import { expectedTexts, matchesPath, type RequestPattern } from '../simulator/request-pattern.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { isLike } from '../utils/diff.ts'
import { isSameJson, type Json } from '../utils/json.ts'
import { groupBy } from '../utils/latest-map.ts'
import { hasAlias } from '../utils/redaction/names.ts'
import { shortList } from '../utils/text.ts'
import { type SentRequest, withRecordedAnswers } from './answers.ts'
import { isUnanswered } from './archived-request.ts'
import { toClientScenario, withStart } from './client-scenario.ts'
import { countFailures, findFailures, isRepetition, queryOf, rowsLike } from './failures.ts'
import { placeOthers, type Unmet } from './place-others.ts'
import { type PlayedScenario, playWhole } from './played-scenario.ts'

/** What went wrong in a scenario, and what a test of it expects instead. */
export interface Incident {
  /** A clause, such as `Create annotation: response lost after the write, and the retry made a duplicate` */
  readonly title: string
  /** The requests of the client that the test is about. Faults play what others did. */
  readonly scenario: Scenario
  /** The index of a request in that scenario, by the one that it had before. Null for a request of another client */
  stepOf(step: number): number | null
  /** Its faults have no delays, but for creates that were sent twice. It also expects what the recorded requests reached */
  readonly test: ScenarioTest
  readonly broken: readonly TestExpectation[]
  readonly repaired: readonly string[]
  /** What can be on purpose, as sentences, if nothing failed */
  readonly notes: readonly string[]
  /** How many requests other keys sent, which the scenario leaves out, and what failed of them */
  readonly others: { readonly requests: number; readonly failures: readonly string[] }
  readonly result: PlayedScenario['result']
}

interface IncidentOptions {
  readonly doubled?: readonly number[]
  readonly known?: PlayedScenario | null
}

/** Runs a scenario, and finds what went wrong for a client. @throws UsageError for a world that the simulator does not know */
export async function findIncident(
  recorded: Scenario,
  simulator: Simulator,
  { doubled = [], known }: IncidentOptions = {},
): Promise<Incident> {
  const scenario = await withStart(recorded, simulator)
  const all = (scenario === recorded && known) || (await playWhole(scenario, simulator))
  const twice = [...doubled, ...sentTwice(scenario, all)]
  const whole = judge(all, twice)
  const keys = keysOf(clientOf(scenario, whole), all.requests)
  const { scenario: own, stepOf } = toClientScenario(
    scenario,
    all,
    ({ as }) => as === undefined || keys.includes(as),
  )
  const isOther = (index: number) => stepOf(index) === null
  const played = own === scenario ? all : await playWhole(own, simulator)
  const { requests, result, mistakes } = played
  const again = twice.flatMap((step) => stepOf(step) ?? [])
  const { unmet, reached, repaired } = judge(played, again)
  const broken = unmet.map(({ expectation }) => expectation)
  const answered = result.passed ? null : await withRecordedAnswers(own, simulator)
  const timed = again.map((step) => answered?.stepOf(step) ?? step)
  const recordedFaults = (answered?.scenario ?? own).steps.flatMap((step, index) =>
    toFaults(step, index, answered?.requests ?? requests, timed.includes(index + 1)),
  )
  const faults = placeOthers(recordedFaults, requests, unmet)
  const carried = carriedOut(faults, unmet)
  const messages = mistakes.map(({ message }) => message)
  return {
    title: describe(broken),
    scenario: own,
    stepOf,
    test: {
      faults,
      ...(carried && { faults_after_commit: carried }),
      expect: [...broken, ...reached],
    },
    broken,
    repaired,
    notes: broken.length > 0 ? [] : [...messages, ...describeUnread(requests)],
    others: {
      requests: scenario.steps.filter((step, index) => isRequestStep(step) && isOther(index))
        .length,
      failures: whole.unmet.flatMap(({ request, expectation: { failure } }) =>
        isOther(request.index) ? failure : [],
      ),
    },
    result,
  }
}

/** In milliseconds. The delay of a slow response is longer. */
const longestBeside = 1_000

/** The creates and updates that a scenario says were sent again beside the first one, or without a look after a failure. */
function sentTwice({ steps }: Scenario, { requests, mistakes }: PlayedScenario) {
  const repeated = mistakes.filter(({ rule }) => rule === 'repeated-create')
  const firsts = repeated.map(({ entries: [id] }) => id)
  return requests.flatMap((request, at) => {
    const { index, list, path, verb, sent, isUpdate, isOk, faultEffect, record } = request
    // One that succeeded was created again after another one had failed.
    if (verb === 'create' && isOk && firsts.includes(record.id)) return index
    if (request.isServed) return []
    const met = Object(steps.slice(0, index).findLast((step) => 'fault' in step)).fault
    const { delay_ms = Infinity, ...others } = faultEffect
    const isBeside = Object.keys(others).length === 0 && delay_ms <= longestBeside
    if (isBeside && isUpdate && met?.phase === 'before') return index
    if (verb !== 'create' || !(isBeside || (isUnanswered(request) && !met?.phase))) return []
    const next = requests
      .slice(at + 1)
      .find((other) => other.list === list && other.isOk && (other.page || other.path === path))
    return next?.verb === verb && isSameJson(next.sent, sent) ? index : []
  })
}

function judge({ requests, world, mistakes: all }: PlayedScenario, doubled: readonly number[]) {
  const again = requests.filter(({ index }) => doubled.includes(index))
  const { failures, reached, repaired } = findFailures(requests, world, again)
  // The rows say more: a client may repeat a request that was not carried out.
  const hasRows = [...failures.map(({ expectation }) => expectation), ...reached].some(
    (expectation) => 'rows' in expectation,
  )
  const mistakes = all.filter(({ rule }) => !hasRows || !rulesOfRows.includes(rule))
  const overwritten = overwrittenValues(mistakes, requests)
  const left = overwritten.filter(({ expectation: { rows } }) => rowsLike(rows, world).length > 0)
  const failed = failures.map(({ request }) => request.record.id)
  const isTold = ({ rule, entries: [first = -1] }: ClientMistake) =>
    rule === 'skipped-row' ? failed.includes(first) : rule === 'undone-change' && left.length > 0
  const avoided = mistakesToAvoid(
    mistakes.filter((mistake) => !isTold(mistake)),
    requests,
  )
  const gone = overwritten.filter((fault) => !left.includes(fault))
  return {
    unmet: [...failures, ...left, ...avoided] as readonly Unmet[],
    /** The rows that failed requests wanted, and that later ones reached */
    reached: [...reached, ...gone.map(({ expectation }) => expectation)],
    repaired,
  }
}

/** Says which pages follow rows that the client has not read. A person may have chosen them. */
function describeUnread(requests: readonly ClientRequest[]) {
  const pages = requests.filter(({ page, rows }) => page && rows.length > 0)
  const ends = new Map<string, number>()
  const inOrder = pages.toSorted((a, b) => a.offset - b.offset)
  return inOrder.flatMap(({ listAddress: list, address, offset, rows }) => {
    const end = ends.get(list) ?? offset
    ends.set(list, Math.max(end, offset + rows.length))
    const { position } = new Address(address)
    return offset > end ? [`The client read ${position}, and no page that reaches up to it.`] : []
  })
}

/** Values that the client wrote back after others had replaced them. The rows must not have them. */
function overwrittenValues(mistakes: readonly ClientMistake[], requests: readonly ClientRequest[]) {
  return mistakes.flatMap(({ rule, entries: [first, ...others] }) => {
    const read = requestOf(requests, first)
    const update = requestOf(requests, others.at(-1))
    if (rule !== 'undone-change' || !read || !update) return []
    const between = requests.slice(requests.indexOf(read), requests.indexOf(update))
    return update.edits.flatMap(({ list, id, fields }) => {
      if (list !== 'annotations' && list !== 'plugins') return []
      const row = Object(read.rows.find((shown) => shown.id === id))
      const own = between.flatMap(({ client, edits }) =>
        client === update.client
          ? edits.filter((edit) => edit.list === list && edit.id === id)
          : [],
      )
      const isOfOthers = (name: string) => own.every((edit) => !(name in edit.fields))
      // A test compares values with ===.
      const names = Object.keys(fields).filter(
        (name) =>
          name in row &&
          Object(row[name]) !== row[name] &&
          row[name] !== fields[name]?.[0] &&
          isOfOthers(name),
      )
      return names.map((name) => {
        const [before, after] = (fields[name] ?? []).map((value) => JSON.stringify(value))
        const failure = `The update sets ${name} of ${nameOfRow({ list, id })} from ${before} to ${after}`
        const rows = { list, where: { id, [name]: row[name] as Json }, count: 0 }
        return { request: update, expectation: { failure, rows }, isUndone: true }
      })
    })
  })
}

function requestOf(requests: readonly ClientRequest[], id: number | undefined) {
  return requests.find(({ record }) => record.id === id)
}

const rulesOfRows = ['repeated-create', 'duplicate-row', 'swallowed-delete']

/** Rules whose notes count, too: a list lacks rows, or was read twice. */
const rulesOfLists = ['repeated-row', 'skipped-row']

function mistakesToAvoid(
  mistakes: readonly ClientMistake[],
  requests: readonly ClientRequest[],
): Unmet[] {
  const chosen = mistakes.filter(
    (mistake) =>
      mistake.level !== 'note' ||
      rulesOfLists.includes(mistake.rule) ||
      isOfMissingRow(mistake, requests),
  )
  const byRule = new Map(chosen.toReversed().map((mistake) => [mistake.rule, mistake]))
  return [...byRule.values()].toReversed().map((mistake) => ({
    request: requestOf(requests, mistake.entries.at(-1)) ?? (requests[0] as ClientRequest),
    expectation: { failure: titleOf(mistake), no_mistake: mistake.rule },
    isUndone: mistake.rule === 'undone-change',
  }))
}

/** Whether a client changed a deleted row that it had looked for, and got a 404. */
function isOfMissingRow(
  { rule, entries: [id] }: ClientMistake,
  requests: readonly ClientRequest[],
) {
  const update = requestOf(requests, id)
  const before = requests.slice(0, update && requests.indexOf(update))
  return (
    rule === 'stale-row' &&
    // A body that was not recorded may have restored it.
    Object.keys(update?.sent ?? {}).length > 0 &&
    before.some(({ path, status }) => path === update?.path && status === 404)
  )
}

/** What the client did, and to which rows. Those that lists lack or repeat depend on when others act. */
function titleOf({ rule, rows = [] }: ClientMistake) {
  const title = clientRules.find(({ id }) => id === rule)?.title ?? rule
  const names = rulesOfLists.includes(rule) ? [] : shortList(rows.map(nameOfRow), 3)
  return names.length === 0 ? title : `${title}: ${names.join(', ')}`
}

function nameOfRow({ list, id }: RowName) {
  return `${list.replace(/s$/, '')} ${id}`
}

/** The label of the key of the client that something went wrong for, or else that sent most requests. */
function clientOf(
  { steps }: Scenario,
  { unmet }: { readonly unmet: readonly Unmet[] },
): string | undefined {
  const keyOf = (step: Step | undefined) => step && (step as RequestStep).as
  const ofRows = ({ expectation }: Unmet) => ('rows' in expectation ? 0 : 1)
  const worst = unmet.toSorted((a, b) => ofRows(a) - ofRows(b))
  const broken = worst.flatMap(({ request }) => keyOf(steps[request.index]) ?? [])
  const labels = steps.flatMap((step) => keyOf(step) ?? [])
  const byKey = [...groupBy(labels, String)].sort(([, a], [, b]) => b.length - a.length)
  return broken[0] ?? byKey[0]?.[0]
}

/** The labels of the keys of a client: one was refused, and another one sent that write again, after a 403 at once or first. */
function keysOf(client: string | undefined, requests: readonly ClientRequest[]): unknown[] {
  const writes = requests.filter(({ isWrite }) => isWrite)
  const pairs = writes.flatMap((request, at) => {
    const { key, recorded, sent } = request
    if (recorded !== 401 && recorded !== 403) return []
    const next = writes.slice(at + 1).find((other) => {
      if (other.key === key || !other.isOk || !isRepetition(request, other)) return false
      const first = writes.find((write) => write.key === other.key) ?? other
      if (recorded === 401 || (other === writes[at + 1] && isSameJson(sent, other.sent)))
        return true
      const isSame = [first, other].some((write) => isLike(sent, write.sent))
      return isSame && isRepetition(request, first)
    })
    return next ? [[key, next.key]] : []
  })
  return [client, ...pairs.filter((pair) => pair.includes(client ?? null)).flat()]
}

/** The faults of a step. They skip the requests before it. @param isTimed whether its delay matters */
export function toFaults(
  step: Step,
  index: number,
  requests: readonly SentRequest[],
  isTimed: boolean,
): FaultRequest[] {
  if ('revoke' in step) {
    const { revoke: key } = step
    const earlier = requests.filter((request) => request.index < index && request.key === key)
    return [{ key, when: { skip: earlier.length }, effect: { error: 'authentication_failed' } }]
  }
  if (!('fault' in step)) return []
  const sent = fillForSending(step.fault, new Map([['base_url', '{base_url}']])) as FaultRequest
  if (!isTimed && parseFaultRequest(sent).every(({ rule }) => !withoutDelays(rule.effect)))
    return []
  if ('preset' in sent) return [sent]
  const effect = (!isTimed && withoutDelays(sent.effect)) || sent.effect
  const met = requests.find((request) => request.index > index && isMatched(sent, request))
  // One that applies once is about the page that it met.
  const isOfPage = met && sent.operation && sent.when?.times === 1 && !sent.effect.edit
  const fault = withoutAliases({ ...sent, ...(isOfPage && queryOf(met)), effect })
  const end = met?.index ?? index
  const earlier = requests.filter((request) => request.index < end && isMatched(fault, request))
  if (earlier.length === 0) return [fault]
  const { skip = 0, ...when } = fault.when ?? {}
  return [{ ...fault, when: { skip: skip + earlier.length, ...when } }]
}

/** Undefined if no create failed */
function carriedOut(
  faults: readonly FaultRequest[],
  unmet: readonly Unmet[],
): readonly FaultRequest[] | undefined {
  const lost = unmet.flatMap(({ request: { verb, status, changes, record }, expectation }) => {
    // A refusal and a redirect say that the create was not carried out.
    const isRefusal = status >= 300 && status < 500
    const isOpen = verb === 'create' && !isRefusal && changes.length === 0
    return 'rows' in expectation && isOpen ? [String(record.operation)] : []
  })
  if (lost.length === 0) return undefined
  return faults.map((fault) =>
    'effect' in fault &&
    lost.includes(String(fault.operation)) &&
    (fault.phase ?? defaultPhase(fault.effect)) === 'before'
      ? { ...fault, phase: 'after-commit' }
      : fault,
  )
}

/** A client sends any value in place of an alias. */
function withoutAliases<T extends RequestPattern>(rule: T): T {
  const { query, body } = rule
  const open = JSON.stringify({ query, body }, (_, value) =>
    typeof value === 'string' && hasAlias(value) ? undefined : value,
  )
  return { ...rule, ...JSON.parse(open) }
}

function isMatched(
  { operation, method, path, key, query, body }: FaultRule,
  { record, sentPath, key: label, query: parameters, sent }: SentRequest,
) {
  return (
    (key === undefined || key === label) &&
    (operation === undefined || [operation].flat().includes(record.operation as never)) &&
    (method === undefined || [method].flat().includes(record.method as never)) &&
    (path === undefined || path === sentPath || matchesPath(path, sentPath)) &&
    (!query || isLike(expectedTexts(query), Object.fromEntries(parameters))) &&
    (!body || isLike(body, sent))
  )
}

function describe(broken: readonly TestExpectation[]) {
  if (broken.length === 0) return 'The recorded requests leave no failure that a simulator shows'
  return countFailures(broken.map(({ failure }) => failure))
}

/** What failed, as a clause: first what stayed, then what was repaired. Undefined if nothing failed. */
export function titleOfFailures({ broken, repaired }: Incident): string | undefined {
  const open = broken.flatMap((expectation) =>
    'no_mistake' in expectation ? [] : expectation.failure,
  )
  const failures = [...open, ...repaired]
  return failures.length === 0 ? undefined : countFailures(failures)
}

/** Null for an effect that only delays */
function withoutDelays(effect: FaultEffect): FaultEffect | null {
  const others = Object.entries(effect).filter(
    ([name]) => name !== 'timeout_ms' && effectTraits[name as EffectName]?.kind !== 'delays',
  )
  return others.length === 0 ? null : Object.fromEntries(others)
}
