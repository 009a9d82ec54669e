import { type FoundSettings, settingsOfTraffic } from '../fit/recorded-answers.ts'
import type { Exchange } from '../http/exchange.ts'
import type { SeenRequest } from '../mistakes/seen-request.ts'
import { markParsed, parseScenario } from '../scenarios/format/check-scenario.ts'
import {
  type ChangeStep,
  isRequestStep,
  type Scenario,
  type Step,
} from '../scenarios/format/scenario.ts'
import {
  generalizeStep,
  type RecorderOptions,
  type RecordingHead,
  type StepWarning,
  toScenarioHead,
} from '../scenarios/recording/recorder.ts'
import { countFieldsOfOneSide, isOfOneSide } from '../scenarios/run/differences.ts'
import type { RunResult, StepResult } from '../scenarios/run/result.ts'
import { simulatorFor } from '../scenarios/run/simulator-for.ts'
import { resolveSettings } from '../settings/resolve.ts'
import type { FaultPhase, FaultWhen } from '../simulator/faults/fault.ts'
import { isObject, isSameJson, type Json } from '../utils/json.ts'
import { formatCount } from '../utils/text.ts'
import type { ClockSetting } from '../world/clock/clock.ts'
import type { WorldJson } from '../world/world-json.ts'
import { isUsual, shownSettings } from './archived-request.ts'
import { findHistory } from './find-history.ts'
import { type PlayedScenario, playWhole } from './played-scenario.ts'
import { type ReadTraffic, readTraffic } from './read-traffic.ts'
import type { History, SeenLists } from './rows-seen.ts'
import { buildWorld } from './world-seen.ts'

type DerivationOptions = Omit<RecordingHead, 'world' | 'profile' | 'settings'>

export interface ImportOptions extends RecorderOptions, DerivationOptions {}

export interface ImportedScenario {
  /** Without steps if no step can send any of the requests */
  readonly scenario: Scenario
  readonly warnings: readonly StepWarning[]
  /** The steps of creates that were sent twice, and of overtaken updates */
  readonly doubled: readonly number[]
  readonly found: FoundSettings
  /** Whether it replays as recorded */
  readonly isWhole: boolean
  readonly played: PlayedScenario | null
}

/** Makes a scenario of requests and responses. A replay decides what happened, where these leave it open. */
export function importExchanges(
  exchanges: readonly Exchange[],
  { baseUrl, keys, keep, redact, ...options }: ImportOptions = {},
): Promise<ImportedScenario> {
  const { exchanges: _, ...read } = readTraffic(exchanges, { baseUrl, keys, keep, redact })
  return importTraffic(read, options)
}

/** The same, of exchanges that were read. */
export async function importTraffic(
  read: Traffic,
  options: DerivationOptions,
): Promise<ImportedScenario> {
  const derivation = new Derivation(read, options)
  const explained = await derivation.derive()
  const { found } = explained
  const { scenario: derived, warnings, ...traffic } = derivation.write(explained)
  if (!derived.steps.some(isRequestStep))
    return { ...traffic, scenario: derived, warnings, found, isWhole: true, played: null }
  const scenario = markParsed(parseScenario(derived))
  const replayed = explained.played ?? (await playWhole(scenario, await simulatorFor(scenario)))
  const { sentences, ...known } = withoutUnknownFields(scenario, replayed.result)
  return {
    ...{ ...traffic, ...known, found },
    played: known.scenario === scenario ? replayed : null,
    warnings: [...warnings, ...withoutSteps(sentences)],
  }
}

/** Traffic whose messages are no longer needed. */
type Traffic = Omit<ReadTraffic, 'exchanges'>

/** What happened by the settings of a service, as far as it is assumed. */
interface Explained extends Awaited<ReturnType<typeof findHistory>> {
  readonly settings: Pick<FoundSettings, 'profile' | 'settings'>
}

/** Searches what others did, once for each settings of the service that are assumed. */
class Derivation {
  readonly #read: Traffic
  readonly #head: RecordingHead

  constructor(read: Traffic, head: DerivationOptions) {
    this.#head = head
    this.#read = read
  }

  /** Finds rows and settings in turns: where a setting explains a response, nobody changed a row. */
  async derive(): Promise<Explained & { readonly found: FoundSettings }> {
    const documented = { profile: 'documented', settings: {} } as const
    const shown = shownSettings(this.#read.requests)
    let best = await this.#explain({ ...documented, settings: shown })
    if (best.played && Object.keys(shown).length === 0)
      return { ...best, found: { ...documented, responses: {} } }
    for (;;) {
      const isAlone = best.cost > 0
      const fit = await this.#fit(best.history, isAlone)
      const { profile, settings } = fit
      if (!isAlone || isSameJson({ profile, settings }, best.settings))
        return { ...best, found: fit, played: null }
      const next = await this.#explain({ profile, settings })
      if (next.cost >= best.cost)
        return { ...best, found: await this.#fit(best.history), played: null }
      best = next
    }
  }

  async #explain(assumed: Explained['settings']): Promise<Explained> {
    const { clock } = this.#read
    const happened = await findHistory({
      ...this.#read,
      settings: resolveSettings(assumed.profile, assumed.settings),
      worldOf: (tried) => this.#startOf(tried).world,
      faultOf: (request, tried) => this.#faultOf(request, tried),
      clock: this.#head.clock ?? clock,
    })
    return { ...happened, settings: assumed }
  }

  /** The settings with which a simulator answers most like the service. @param isAlone whether others did nothing */
  #fit(history: History, isAlone = false) {
    const edits = isAlone ? new Map() : history.edits
    const { steps } = this.#stepsOf({ ...history, edits })
    return settingsOfTraffic({ ...this.#headOf(this.#startOf(history).world), steps })
  }

  /** @returns a scenario in which each request has its place, by its id */
  write({ history, found: { profile, settings } }: Explained & { found: FoundSettings }) {
    const { delays, warnings } = this.#read
    const start = this.#startOf(history)
    const { steps, stepOf } = this.#stepsOf(history)
    const scenario: Scenario = {
      ...this.#headOf(start.world),
      ...(profile !== 'documented' && { profile }),
      ...(Object.keys(settings).length > 0 && { settings }),
      steps,
    }
    const messages = [
      ...withoutSteps([...start.warnings, ...describeOthers(history, this.#read.seen)]),
      ...[...history.undecided].map(describeUndecided),
      ...(history.results.size > 0
        ? [{ text: ownResult, steps: [...history.results.keys()] }]
        : []),
      ...warnings,
    ]
    return {
      scenario,
      warnings: messages.flatMap(({ text, steps: indexes }): StepWarning[] => {
        const places = indexes.flatMap((index) => stepOf.get(index) ?? [])
        return indexes.length > 0 && places.length === 0 ? [] : [{ text, steps: places }]
      }),
      doubled: [...delays.keys()].flatMap((index) => stepOf.get(index) ?? []),
    }
  }

  #stepsOf(history: History) {
    const { steps: sending, throttling } = this.#read
    const { lasts, within, waits } = throttling
    const steps: Step[] = []
    const stepOf = new Map<number, number>()
    for (const request of this.#read.requests) {
      const { id: index } = request.record
      const step = sending[index]
      const wait = waits.get(index)
      steps.push(...(history.edits.get(index) ?? []), ...(wait ? [wait] : []))
      if (step) {
        const first = within.get(index)
        const isWithin = first !== undefined && !history.tookEffect.has(first)
        const fault = isWithin ? null : this.#faultOf(request, history, lasts.get(index))
        if (fault) steps.push(generalizeStep(fault, this.#read.base, new Set()))
        // A service can say how much of the wait is left, where the fault of the first request says all of it.
        const sent = isWithin ? { ...step, expect: { status: request.status } } : step
        stepOf.set(index, steps.push(sent) - 1)
      }
      const result = history.results.get(index)
      if (result) steps.push(result)
    }
    return { steps, stepOf }
  }

  /** The fault that a request met, as a step. Null for none. @param lasting how long it lasts */
  #faultOf(
    request: SeenRequest,
    history: History,
    lasting: FaultWhen = { times: 1 },
  ): ChangeStep | null {
    const { id, operation } = request.record
    const delay_ms = Math.round(this.#read.delays.get(id) ?? 0)
    const effect = delay_ms ? { delay_ms } : request.faultEffect
    if (Object.keys(effect).length === 0) return null
    // Only its body tells an overtaken update from the one that overtook it.
    const isOvertaken = delay_ms > 0 && request.isUpdate
    const phase = isOvertaken ? 'before' : phaseOf(request, history)
    const when = phase === 'after-commit' ? { times: 1 } : lasting
    // With an operation, a fault waits for its request.
    const pattern = operation !== null && { operation }
    const body = isOvertaken && { body: request.sent as Json }
    return { fault: { ...pattern, ...body, when, ...(phase && { phase }), effect } }
  }

  #startOf(history: Pick<History, 'start' | 'left'>) {
    return buildWorld(this.#read.requests, this.#read.seen, history)
  }

  #headOf(world: WorldJson) {
    const { clock, throttling } = this.#read
    const isLasting = throttling.lasts.size + throttling.waits.size > 0
    // On a frozen clock, a client that waits by itself would seem not to wait.
    const time: ClockSetting | undefined =
      clock && isLasting ? { mode: 'ticking', now: clock } : clock
    return toScenarioHead({ world, ...(time && { clock: time }), ...this.#head })
  }
}

function describeOthers({ edits }: History, seen: SeenLists) {
  const rows = { added: new Set(), changed: new Set(), deleted: new Set() }
  const madeUp: string[] = []
  for (const change of [...edits.values()].flat()) {
    const [kind, lists] = Object.entries(change).find(([name]) => name in kinds) ?? []
    for (const [list, written] of Object.entries(Object(lists)))
      for (const row of [written].flat()) {
        const { id = row, deleted } = Object(row)
        rows[deleted === true ? 'deleted' : kinds[kind as keyof typeof kinds]].add(`${list}/${id}`)
        const { created, shown } = seen[list as keyof SeenLists]
        if (kind === 'rows' && !created.has(id) && !shown.has(id))
          madeUp.push(`${list.slice(0, -1)} ${id}`)
      }
  }
  const entries = Object.entries(rows).filter(([, { size }]) => size > 0)
  const clauses = entries.map(([verb, { size }]) => `${verb} ${formatCount(size, 'row')}`)
  if (clauses.length === 0) return []
  // Some are left out, and a browser or a proxy repeats one by itself.
  const sentence = `Others, or requests that the scenario lacks, are assumed to have ${clauses.join(' and ')}.`
  return madeUp.length > 0
    ? [sentence, `Made up, because no response shows it: ${madeUp.join(', ')}.`]
    : [sentence]
}

const kinds = { rows: 'added', update: 'changed', delete: 'deleted' } as const

const ownResult =
  'A simulator stores other values after {steps} than the service did. The scenario sets those of the service in a step of its own.'

function describeUndecided({ record: { id, method, operation } }: SeenRequest): StepWarning {
  const sentence = `No later response shows whether the service carried out ${method} ${operation}, which failed.`
  return { text: `${sentence} {steps} assumes that it did not.`, steps: [id] }
}

function withoutSteps(sentences: readonly string[]): StepWarning[] {
  return sentences.map((text) => ({ text, steps: [] }))
}

/** Undefined for the phase that the effect has by default, also of a create that may have been carried out. */
function phaseOf(request: SeenRequest, { tookEffect, undecided }: History): FaultPhase | undefined {
  if (request.verb === 'create' && undecided.has(request)) return undefined
  if (isUsual(request) || request.faultEffect.cut_bytes !== undefined) return undefined
  return tookEffect.has(request.record.id) ? 'after-commit' : 'before'
}

/** Lets a scenario expect only the fields that service and simulator both have. @returns also a sentence for each other one */
function withoutUnknownFields(scenario: Scenario, replayed: Pick<RunResult, 'steps'>) {
  const steps = replayed.steps.filter(hasUnknownFields)
  const copy = steps.length > 0 ? structuredClone(scenario) : scenario
  for (const { step, differences } of steps) {
    for (const { path } of differences) {
      const ofName = (value: unknown, name: string | number) => Object(value)[name]
      const parent = path.slice(0, -1).reduce(ofName, copy.steps[step - 1])
      if (isObject(parent)) delete (parent as Record<string, unknown>)[String(path.at(-1))]
    }
    if (differences.some(({ expected }) => expected === undefined)) expectPart(copy, step - 1)
  }
  return {
    scenario: copy,
    isWhole: replayed.steps.every((step) => step.differences.length === 0 || steps.includes(step)),
    sentences: countFieldsOfOneSide(steps).map(
      (text) => `${text} The scenario does not expect it.`,
    ),
  }
}

/** Lets a step expect a part of a body. Changes the scenario in place. */
function expectPart({ steps }: Scenario, at: number) {
  const { expect } = steps[at] as { expect: { exact_body?: unknown; body?: unknown } }
  if (expect.exact_body === undefined) return
  expect.body = expect.exact_body
  delete expect.exact_body
}

/** Whether a response has only more or fewer fields than the recorded one. */
function hasUnknownFields({ request, differences }: StepResult) {
  const isOfSource = /source\/(?:\?|$)/.test(request?.url ?? '')
  // Where each side has fields of its own, the body is another one.
  const sides = new Set(differences.map(({ got }) => got === undefined))
  return !isOfSource && sides.size === 1 && differences.every(isOfOneSide)
}
