import { bodilessStatuses } from '../http/messages.ts'
import { ClientRequest } from '../mistakes/client-request.ts'
import {
  type ExpectedResponse,
  isRequestStep,
  type Scenario,
  type Step,
} from '../scenarios/format/scenario.ts'
import {
  fillValue,
  findNames,
  matchers,
  type SavedValues,
  toSpecialValue,
} from '../scenarios/format/values.ts'
import { formatStepWarnings, nameOfStep } from '../scenarios/recording/recorder.ts'
import { describeFailedSteps } from '../scenarios/run/format-result.ts'
import { resolveSetup } from '../scenarios/run/options.ts'
import { type PlayedStep, parseTextBody, playStep } from '../scenarios/run/play.ts'
import type { StepResult } from '../scenarios/run/result.ts'
import { openRun, toStepResult } from '../scenarios/run/run-scenario.ts'
import { simulatorFor } from '../scenarios/run/simulator-for.ts'
import { createQuickSender } from '../scenarios/run/simulator-sender.ts'
import type { FaultEffect, FaultRule } from '../simulator/faults/fault.ts'
import type { JournalEntry } from '../simulator/journal/entry.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import { WrittenEntry } from '../simulator/journal/written-entry.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { isObject } from '../utils/json.ts'
import { turnAfter } from '../utils/wait.ts'
import type { Json } from '../world/rows.ts'
import type { ImportedScenario } from './import-exchanges.ts'
import { isEditing } from './place-others.ts'

/** What rules read of a request, of which each is compared with each rule. */
export type SentRequest = Pick<
  ClientRequest,
  'index' | 'record' | 'verb' | 'sentPath' | 'key' | 'query' | 'sent'
>

/**
 * Adds a fault that gives the recorded response to each request that a simulator answers otherwise.
 *
 * @param most after more faults, the other steps are left out
 */
export async function withRecordedAnswers(
  scenario: Scenario,
  simulator: Simulator,
  most = Infinity,
) {
  const copy = openRun(resolveSetup(scenario), simulator)
  const sender = await createQuickSender(copy)
  const steps: Step[] = []
  const stepOf = new Map<number, number>()
  const requests: SentRequest[] = []
  const answered: StepResult[] = []
  const failed: StepResult[] = []
  let saved: PlayedStep['saved'] | undefined
  for (const [at, step] of scenario.steps.entries()) {
    if (steps.length - at > most) break
    const rows = copy.state.snapshot()
    let played = await playStep(step, sender, { saved })
    await turnAfter(at + 1)
    // Such as a row that others add although a request has created it.
    if (!isRequestStep(step) && played.result.outcome === 'failed') continue
    const simulated = toStepResult(played)
    const { record } = played
    const fault = record && answerTo(played, record, copy.state.labels.keyOf(record))
    if (fault) {
      copy.state.replaceRows(rows)
      // Only the latest fault applies: another edit waits for the next request.
      const waiting =
        record?.fault?.effect.edit &&
        steps.findLast((earlier) => 'fault' in earlier && isEditing(earlier.fault))
      if (waiting) await playStep(waiting, sender, { saved })
      const trial = await playStep({ fault }, sender, { saved })
      if (trial.result.outcome === 'passed') {
        steps.push({ fault })
        played = await playStep(step, sender, played)
      }
    }
    saved = played.savedNow
    const index = steps.push(step) - 1
    stepOf.set(at, index)
    if (played.result.outcome !== 'passed')
      failed.push({ ...toStepResult(played), step: index + 1 })
    else if (simulated.outcome !== 'passed') answered.push({ ...simulated, step: index + 1 })
    if (!record) continue
    const entry = new WrittenEntry(record, copy.state)
    const { verb, sentPath, key, query, sent } = new ClientRequest(entry)
    requests.push({ index, record, verb, sentPath, key, query, sent })
  }
  return {
    scenario: { ...scenario, steps },
    requests,
    /** The index of a step, by the one that it had before */
    stepOf: (step: number) => stepOf.get(step) ?? null,
    /** Names the steps that needed a fault, and those that still differ */
    warnings: [
      ...describeFailedSteps({ steps: answered }, replaysByFault),
      ...describeFailedSteps({ steps: failed }),
    ],
  }
}

/** The scenario of an import, which replays as recorded. @param stepOf the index of a step in `own` */
export async function toReplaying(
  { isWhole, warnings }: ImportedScenario,
  own: Scenario,
  stepOf: (step: number) => number | null = (step) => step,
) {
  const answered = isWhole ? null : await withRecordedAnswers(own, await simulatorFor(own))
  const nameOf = (step: number) => {
    const index = stepOf(step)
    const now = answered && index !== null ? answered.stepOf(index) : index
    return now === null ? null : nameOfStep(now)
  }
  const sentences = [
    ...formatStepWarnings(warnings, nameOf),
    ...formatStepWarnings(answered?.warnings ?? []),
  ]
  return { scenario: answered?.scenario ?? own, sentences }
}

const replaysByFault = 'replays by a fault, because a simulator answers otherwise'

/** The fault for a response that the world does not give as recorded, or not as long. Null for another one */
function answerTo(
  { step, result, savedNow }: PlayedStep,
  { method, target, fault, changes }: JournalRecord,
  key: JournalEntry['key'],
): FaultRule | null {
  const { outcome, response } = result
  if (outcome !== 'failed' || !response || !isRequestStep(step)) return null
  // Its fault gave the response already, in so far as one can.
  if ('status' in Object(fault?.effect)) return null
  const saved = savedNow.with(new Map([['base_url', '{base_url}']]))
  const { broken, ...expected } = step.expect ?? {}
  const effect: FaultEffect = broken ? { cut_bytes: 0 } : recordedEffect(expected, response, saved)
  return {
    method: method as NonNullable<FaultRule['method']>,
    path: patternOf(target),
    ...(key?.label && { key: key.label }),
    when: { times: 1 },
    // What the service refused was not carried out.
    phase: Number(effect.status) >= 400 && changes.length > 0 ? 'before' : 'after-commit',
    effect,
  }
}

/** The path of a request as a pattern: a replaced segment, such as `***`, is any segment. */
function patternOf(target: string) {
  const [path = ''] = target.split('?')
  return path.replaceAll(/[^/]*[^\w.@/-][^/]*/g, '*')
}

/** Gives the recorded response, with what the simulated one has where it is open. */
function recordedEffect(
  expected: ExpectedResponse,
  simulated: NonNullable<StepResult['response']>,
  saved: SavedValues,
): FaultEffect {
  const { headers = {}, body, exact_body: whole, text } = expected
  const status = typeof expected.status === 'number' ? expected.status : simulated.status
  const isAlike = Math.floor(status / 100) === Math.floor(simulated.status / 100)
  const shown = isAlike ? simulated.text : ''
  const recorded =
    text === undefined
      ? overlay(whole ?? body, parseTextBody(shown), whole !== undefined, saved)
      : overlay(text, shown, true, saved)
  const texts = Object.entries(headers)
    .map(([name, value]) => [name, overlay(value, undefined, true, saved)] as const)
    .filter(([, value]) => typeof value === 'string')
  return {
    status,
    ...(texts.length > 0 && { headers: Object.fromEntries(texts) as Record<string, string> }),
    ...(recorded !== undefined && !bodilessStatuses.includes(status) && { body: recorded as Json }),
  }
}

const idOf = (row: unknown): unknown => Object(row).id

/** Recorded values over simulated ones. Values that change with each run stay simulated. */
function overlay(
  recorded: unknown,
  simulated: unknown,
  isWhole: boolean,
  saved: SavedValues,
): unknown {
  if (recorded === undefined) return simulated
  const special = toSpecialValue(recorded)
  if (special?.keyword === '$literal') return recorded
  if (special?.keyword === '$saved') {
    const isKnown = findNames(recorded, []).every(({ name }) => saved.has(name))
    return isKnown ? fillValue(recorded, saved) : simulated
  }
  if (special?.keyword === '$match') {
    const { example, matches } = matchers[String(special.value)] ?? {}
    return matches?.(simulated) ? simulated : example
  }
  if (Array.isArray(recorded)) {
    const items: readonly unknown[] = Array.isArray(simulated) ? simulated : []
    const firstById = new Map(items.map((row) => [idOf(row), row] as const).reverse())
    return recorded.map((item, index) => {
      const id = overlay(idOf(item), undefined, isWhole, saved)
      const same = typeof id === 'number' ? firstById.get(id) : items[index]
      return overlay(item, same, isWhole, saved) ?? null
    })
  }
  if (!isObject(recorded)) return recorded
  const base = isObject(simulated) ? simulated : {}
  const fields = Object.entries(recorded).map(([name, value]) => [
    name,
    overlay(value, base[name], isWhole, saved),
  ])
  const merged = { ...(isWhole ? {} : base), ...Object.fromEntries(fields) }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined))
}
