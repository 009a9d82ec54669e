import { endpointOf } from '../api/endpoints.ts'
import { duplicateRow, repeatedCreate } from '../mistakes/duplicate-rows.ts'
import { clientRules, MistakeFinder } from '../mistakes/mistake-finder.ts'
import { repeatedRow, skippedRow } from '../mistakes/read-lists.ts'
import { swallowedDelete } from '../mistakes/refusals.ts'
import type { ClientMistake } from '../mistakes/rule.ts'
import { undoneChange } from '../mistakes/updates.ts'
import {
  type ExpectedRows,
  isRequestStep,
  type RequestStep,
  type Scenario,
  type ScenarioTest,
  type Step,
  type TestExpectation,
} from '../scenarios/format/scenario.ts'
import { fillForSending } from '../scenarios/format/values.ts'
import { resolveSetup } from '../scenarios/run/options.ts'
import { type PlayedStep, play } from '../scenarios/run/play.ts'
import type { RunResult } from '../scenarios/run/result.ts'
import { arePassed, openRun, toStepResult } from '../scenarios/run/run-scenario.ts'
import { createQuickSender } from '../scenarios/run/simulator-sender.ts'
import {
  type EffectName,
  effectTraits,
  type FaultEffect,
  type FaultRule,
} from '../simulator/faults/fault.ts'
import { type FaultRequest, parseFaultRequest } from '../simulator/faults/schema.ts'
import { WrittenEntry } from '../simulator/journal/written-entry.ts'
import { matchesPath } from '../simulator/request-pattern.ts'
import type { Simulator } from '../simulator/simulator.ts'
import type { Json } from '../utils/json.ts'
import type { WorldAccess } from '../world/edit/world-access.ts'
import { type Exchanged, type Played, toClientScenario } from './client-scenario.ts'
import { countRows } from './expected-rows.ts'
import { countFailures, findFailures } from './failures.ts'
import { placeOthers } from './place-others.ts'
import { type PlayedEntry, playedEntryOf } from './played-entry.ts'
import { withStart } from './start.ts'

/** What went wrong in a scenario, and what a test of it expects instead. */
export interface Incident {
  /** A clause, such as `Create annotation: response lost after the write, and the retry made a duplicate` */
  readonly title: string
  /** The requests of the client that the test is about. Faults play what others did. The same as before if nobody did anything */
  readonly scenario: Scenario
  /** The index of a request in that scenario, by the one that it had before. Null for a request of another client */
  stepOf(step: number): number | null
  /** Its faults have no delays, but for creates that were sent twice. It also expects what the recorded requests reached */
  readonly test: ScenarioTest
  /** The expectations that the recorded requests break */
  readonly broken: readonly TestExpectation[]
  /** Whether a client with the same fault breaks them that reads once more, or once less */
  readonly isSure: boolean
  /** The failures that later requests repaired, as clauses */
  readonly repaired: readonly string[]
  /** How many requests other keys sent, which the scenario leaves out, and what failed of them */
  readonly others: { readonly requests: number; readonly failures: readonly string[] }
  /** The result of the scenario */
  readonly result: PlayedScenario['result']
}

interface IncidentOptions {
  /** The steps whose creates the client sent a second time */
  readonly doubled?: readonly number[]
  /** What an earlier replay of the scenario gave */
  readonly known?: PlayedScenario | null
  /** Whether other clients run its test. Else what others do stays where it was recorded: to look for a better place takes long */
  readonly isTested?: boolean
}

/**
 * Runs a scenario, and finds what went wrong: requests that failed and were not repaired by a later one, and mistakes
 * of the client. If several clients sent requests, it is about the one that something went wrong for.
 *
 * @param simulator knows the world of the scenario
 * @throws UsageError for a world that the simulator does not know
 */
export async function findIncident(
  recorded: Scenario,
  simulator: Simulator,
  { doubled = [], known, isTested = true }: IncidentOptions = {},
): Promise<Incident> {
  const scenario = await withStart(recorded, simulator)
  const all = (scenario === recorded && known) || (await playWhole(scenario, simulator))
  const whole = judge(all, doubled)
  const client = clientOf(scenario, all.exchanged, whole)
  const { scenario: own, stepOf } = toClientScenario(
    scenario,
    all,
    ({ as }) => as === undefined || as === client,
  )
  const isOther = (index: number): boolean => stepOf(index) === null
  const ofOthers = all.exchanged.flatMap(({ index, entry }) => (isOther(index) ? entry.id : []))
  const played = own === scenario ? all : await playWhole(own, simulator)
  const { exchanged, result } = played
  const again = doubled.flatMap((step) => stepOf(step) ?? [])
  const { unmet, reached, repaired } = judge(played, again)
  const broken = unmet.map(({ expectation }) => expectation)
  const recordedFaults = own.steps.flatMap((step, index) =>
    toFaults(step, index, exchanged, again.includes(index + 1)),
  )
  const story = { scenario: own, exchanged, broken, ...breakersOf(unmet, exchanged) }
  const { faults, later, isSure } = isTested
    ? await placeOthers(recordedFaults, story, simulator)
    : { faults: recordedFaults, later: undefined, isSure: true }
  const carried = carriedOut(faults, unmet, exchanged)
  return {
    title: describe(broken, result),
    scenario: own,
    stepOf,
    test: {
      faults,
      ...(later && { faults_one_read_later: later }),
      ...(carried && { faults_after_commit: carried }),
      expect: [...broken, ...reached],
    },
    broken,
    isSure,
    repaired,
    others: {
      requests: scenario.steps.filter((step, index) => isRequestStep(step) && isOther(index))
        .length,
      failures: whole.unmet.flatMap(({ entry, expectation: { failure } }) =>
        ofOthers.includes(entry) ? failure : [],
      ),
    },
    result,
  }
}

/** The requests that break expectations, and which of them undid a change of others. */
function breakersOf(unmet: readonly Unmet[], exchanged: readonly Exchanged[]) {
  const requestOf = ({ entry }: Unmet): Exchanged[] => {
    const found = exchanged.find((request) => request.entry.id === entry)
    return found ? [found] : []
  }
  const undoing = unmet.filter(({ isUndone }) => isUndone)
  return { failing: unmet.flatMap(requestOf), undoing: undoing.flatMap(requestOf) }
}

/** A scenario that was played, with its result. */
export interface PlayedScenario extends Played {
  readonly result: Pick<RunResult, 'passed' | 'steps'>
  readonly mistakes: readonly ClientMistake[]
  /** The rows after all requests */
  readonly world: WorldAccess
}

/** Plays a scenario in a copy of a simulator. @throws UsageError for a world that the simulator does not know */
export async function playWhole(scenario: Scenario, simulator: Simulator): Promise<PlayedScenario> {
  const copy = openRun(resolveSetup(scenario), simulator)
  const exchanged: Exchanged[] = []
  const played: PlayedStep[] = []
  const finder = new MistakeFinder()
  for await (const step of play(scenario, await createQuickSender(copy))) {
    played.push(step)
    const { index, record } = step
    if (!record) continue
    const entry = new WrittenEntry(record, copy.state)
    const recorded = recordedStatus(step)
    if (recorded === undefined || recorded >= 400) finder.add(entry.short)
    exchanged.push({ index, entry: playedEntryOf(entry, recorded) })
  }
  const steps = played.map((step) => toStepResult(step))
  const result = { passed: arePassed(steps), steps }
  return { played, exchanged, result, mistakes: finder.found.mistakes, world: copy.world }
}

/** The recorded status of a request that a simulator refuses by its rules, with another status. */
function recordedStatus({ record, result: { differences } }: PlayedStep): number | undefined {
  const { expected, got } = differences.find(({ where }) => where === 'status') ?? {}
  const isRefused = record?.fault === null && Number(got) >= 400
  return isRefused && typeof expected === 'number' ? expected : undefined
}

/** What a test expects, and the entry that breaks it. */
interface Unmet {
  readonly entry: number
  readonly expectation: TestExpectation
  /** Whether it undid a change of others */
  readonly isUndone?: boolean
}

interface Judged extends Pick<Incident, 'repaired'> {
  readonly unmet: readonly Unmet[]
  /** The rows that failed requests wanted, and that later ones reached */
  readonly reached: readonly TestExpectation[]
}

function judge(
  { exchanged, world, mistakes: all }: PlayedScenario,
  doubled: readonly number[],
): Judged {
  const entries = exchanged.map(({ entry }) => entry)
  const again = exchanged.flatMap(({ index, entry }) => (doubled.includes(index) ? entry : []))
  const { failures, reached, repaired } = findFailures(entries, world, again)
  const failed = failures.map(({ entry, expectation }) => ({ entry: entry.id, expectation }))
  // The rows say more than the rule: a client may repeat a request that was not carried out.
  const hasRows = [...failures.map(({ expectation }) => expectation), ...reached].some(
    (expectation) => 'rows' in expectation,
  )
  const mistakes = all.filter(({ rule }) => !hasRows || !rulesOfRows.includes(rule))
  const overwritten = overwrittenValues(mistakes, entries)
  const left = overwritten.filter(({ expectation: { rows } }) => countRows(rows, world) > 0)
  const isTold = ({ rule }: ClientMistake): boolean => rule === undoneChange.id && left.length > 0
  const avoided = mistakesToAvoid(mistakes.filter((mistake) => !isTold(mistake)))
  const gone = overwritten.filter((fault) => !left.includes(fault))
  return {
    unmet: [...failed, ...left, ...avoided],
    reached: [...reached, ...gone.map(({ expectation }) => expectation)],
    repaired,
  }
}

interface UnmetRows extends Unmet {
  readonly expectation: { readonly failure: string; readonly rows: ExpectedRows }
}

/**
 * The values that somebody else had changed since a client read them: the row is not to have them again. The rule alone
 * takes a client that reads the row again, and ignores it, for one that knows the change.
 */
function overwrittenValues(
  mistakes: readonly ClientMistake[],
  entries: readonly PlayedEntry[],
): UnmetRows[] {
  const entryOf = (id: number | undefined) => entries.find((entry) => entry.id === id)
  return mistakes.flatMap(({ rule, entries: ids }) => {
    const [read, update] = [entryOf(ids[0]), entryOf(ids.at(-1))]
    if (rule !== undoneChange.id || !read || !update) return []
    return update.changes.flatMap(({ list, id, fields }): UnmetRows[] => {
      if (list !== 'annotations' && list !== 'plugins') return []
      const { results, ...single } = Object(read.response.body)
      const row = Object(Array.isArray(results) ? results.find((shown) => shown.id === id) : single)
      // A test compares values with ===.
      const names = Object.keys(fields).filter(
        (name) => name in row && Object(row[name]) !== row[name] && row[name] !== fields[name]?.[0],
      )
      return names.map((name) => {
        const [before, after] = (fields[name] ?? []).map((value) => JSON.stringify(value))
        const failure = `The update sets ${name} from ${before} to ${after}`
        const rows = { list, where: { id, [name]: row[name] as Json }, count: 0 }
        return { entry: update.id, expectation: { failure, rows }, isUndone: true }
      })
    })
  })
}

/** The rules about what the expected rows say, too. */
const rulesOfRows = [repeatedCreate, duplicateRow, swallowedDelete].map(({ id }) => id)

/** Rules whose notes count, too: a list lacks rows, or was read twice. */
const rulesOfLists = [repeatedRow, skippedRow].map(({ id }) => id)

/** The mistakes that a test expects not to happen: those that lost data, or will one day. */
function mistakesToAvoid(mistakes: readonly ClientMistake[]): Unmet[] {
  const chosen = mistakes.filter(
    ({ rule, level }) => level !== 'note' || rulesOfLists.includes(rule),
  )
  const byRule = new Map(chosen.toReversed().map((mistake) => [mistake.rule, mistake]))
  return [...byRule.values()].toReversed().map(({ rule, entries }) => ({
    entry: entries.at(-1) ?? 0,
    expectation: { failure: titleOf(rule), no_mistake: rule },
    isUndone: rule === undoneChange.id,
  }))
}

function titleOf(rule: string): string {
  return clientRules.find(({ id }) => id === rule)?.title ?? rule
}

/** The label of the key of the client that something went wrong for, or else of the one that sent most requests. */
function clientOf(
  { steps }: Scenario,
  exchanged: readonly Exchanged[],
  { unmet }: Judged,
): string | undefined {
  const keyOf = ({ index }: Exchanged): string | undefined => (steps[index] as RequestStep).as
  for (const { entry } of unmet) {
    const broken = exchanged.find((request) => request.entry.id === entry)
    if (broken && keyOf(broken) !== undefined) return keyOf(broken)
  }
  const counts = new Map<string, number>()
  for (const step of steps) {
    if (isRequestStep(step) && step.as !== undefined)
      counts.set(step.as, (counts.get(step.as) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}

/**
 * The faults of a step, with the requests before it skipped. A rule without `when` applies from its step on. Requests
 * of the recording that a rule matches are counted by operation, method, path and key.
 *
 * @param isTimed whether its delay matters
 */
export function toFaults(
  step: Step,
  index: number,
  exchanged: readonly Exchanged[],
  isTimed: boolean,
): FaultRequest[] {
  if ('revoke' in step) {
    const { revoke: key } = step
    const isBefore = (request: Exchanged): boolean =>
      request.index < index && request.entry.key?.label === key
    const when = { skip: exchanged.filter(isBefore).length }
    return [{ key, when, effect: { error: 'authentication_failed' } }]
  }
  if (!('fault' in step)) return []
  const sent = fillForSending(step.fault, new Map([['base_url', '{base_url}']])) as FaultRequest
  const isNeeded = ({ rule }: { readonly rule: FaultRule }) => isTimed || withoutDelays(rule.effect)
  if (!parseFaultRequest(sent).some(isNeeded)) return []
  if ('preset' in sent) return [sent]
  const effect = isTimed ? sent.effect : (withoutDelays(sent.effect) ?? sent.effect)
  const fault = { ...sent, effect }
  const earlier = exchanged.filter(
    (request) => request.index < index && isMatched(fault, request.entry),
  )
  if (earlier.length === 0) return [fault]
  const { skip = 0, ...when } = fault.when ?? {}
  return [{ ...fault, when: { skip: skip + earlier.length, ...when } }]
}

/** The faults with failed creates carried out. Undefined if none failed */
function carriedOut(
  faults: readonly FaultRequest[],
  unmet: readonly Unmet[],
  exchanged: readonly Exchanged[],
): readonly FaultRequest[] | undefined {
  const lost = unmet.flatMap(({ entry, expectation }): string[] => {
    if (!('rows' in expectation)) return []
    const failed = exchanged.find((request) => request.entry.id === entry)?.entry
    const isCreate = endpointOf(failed?.operation ?? null)?.verb === 'create'
    // A refusal says that the create was not carried out.
    const isRefusal = Math.floor((failed?.response.status ?? 0) / 100) === 4
    const isOpen = isCreate && !isRefusal && failed?.changes.length === 0
    return isOpen ? [String(failed.operation)] : []
  })
  if (lost.length === 0) return undefined
  return faults.map((fault) =>
    'phase' in fault && fault.phase === 'before' && lost.includes(String(fault.operation))
      ? { ...fault, phase: 'after-commit' }
      : fault,
  )
}

function isMatched(
  { operation, method, path, key }: FaultRule,
  entry: Pick<PlayedEntry, 'operation' | 'method' | 'path' | 'key'>,
): boolean {
  return (
    (operation === undefined || [operation].flat().some((id) => id === entry.operation)) &&
    (method === undefined || [method].flat().some((name) => name === entry.method)) &&
    (path === undefined || matchesPath(path, entry.path)) &&
    (key === undefined || key === entry.key?.label)
  )
}

function describe(
  broken: readonly TestExpectation[],
  { passed }: Pick<RunResult, 'passed'>,
): string {
  if (broken.length === 0)
    return passed
      ? 'The recorded requests leave no failure'
      : 'The recorded requests leave no failure that a simulator shows'
  return countFailures(broken.map(({ failure }) => failure))
}

/** What failed, as a clause: first what stayed, then what was repaired. Mistakes count that left a row. Undefined if nothing failed. */
export function titleOfFailures({ broken, repaired }: Incident): string | undefined {
  const open = broken.flatMap((expectation) =>
    'no_mistake' in expectation ? [] : expectation.failure,
  )
  const failures = [...open, ...repaired]
  return failures.length === 0 ? undefined : countFailures(failures)
}

/** An effect without its delays. Null for one that only delays. */
function withoutDelays(effect: FaultEffect): FaultEffect | null {
  const others = Object.entries(effect).filter(
    ([name]) => name !== 'timeout_ms' && effectTraits[name as EffectName]?.kind !== 'delays',
  )
  return others.length === 0 ? null : Object.fromEntries(others)
}
