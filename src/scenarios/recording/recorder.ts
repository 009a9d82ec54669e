import type { Exchange } from '../../http/exchange.ts'
import { Aliases } from '../../utils/redaction/aliases.ts'
import { type OptionNames, rejectUnknownFields, UsageError } from '../../utils/usage-error.ts'
import { formatIsoTime } from '../../world/clock/clock.ts'
import type { WorldJson } from '../../world/world-json.ts'
import { type ChangeStep, type Scenario, type Step, scenarioVersion } from '../format/scenario.ts'
import { withoutKeyValues } from './changes.ts'
import { GeneralizedSteps, isUnrepeatable } from './generalize.ts'
import { Hider, hideInTexts, KeyLabeler } from './hide.ts'
import { guessBaseUrl, isSendable, toStep } from './to-step.ts'

/** How requests become steps. */
export interface RecorderOptions {
  /** The base URL of the API. By default, the part of each address before `/api` */
  readonly baseUrl?: string | undefined
  /** The values of keys by their labels. A key that is not listed gets a new label */
  readonly keys?: Readonly<Record<string, string>> | undefined
  /** Whether to keep secrets and personal data. By default, they are replaced */
  readonly keep?: boolean | undefined
  /** Names of further headers, parameters and fields that are secret, without case */
  readonly redact?: readonly string[] | undefined
}

export interface RecordedExchange {
  /** The exchange without secrets, safe to print and to store */
  readonly exchange: Exchange
  /** The indexes of the steps to write: the new ones, and earlier ones that it changed */
  readonly changed: readonly number[]
  /** What the scenario leaves out, in sentences */
  readonly warnings: readonly string[]
}

/**
 * Records exchanges as the steps of a scenario, in three stages:
 *
 * 1. hide: secrets and personal data are replaced, and keys get labels.
 * 2. generalize: ids become saved values, and times become matchers. Later requests decide which values are saved, so
 *    the steps are stored, and read with `step`.
 * 3. write.
 */
export class Recorder {
  readonly #baseUrl: string | undefined
  readonly #keep: boolean
  readonly #hider: Hider
  readonly #labeler: KeyLabeler
  readonly #steps: GeneralizedSteps
  readonly #deletedRows = new Set<string>()

  constructor({ baseUrl, keys = {}, keep = false, redact }: RecorderOptions = {}) {
    this.#baseUrl = baseUrl
    this.#keep = keep
    const aliases = new Aliases(redact, keep)
    for (const key of Object.values(keys)) aliases.learn('key', key)
    this.#hider = new Hider(aliases, redact)
    this.#labeler = new KeyLabeler(keys)
    this.#steps = new GeneralizedSteps(aliases)
  }

  get length(): number {
    return this.#steps.length
  }

  /** The step at an index, as the exchanges up to now define it. It has no secret that one of them identified. */
  step(index: number): Step {
    return this.#steps.step(index)
  }

  /** An exchange without secrets, for a message about it. It does not become a step. */
  hide(sent: Exchange): Exchange {
    const labelled = this.#labeler.withLabel(sent)
    return this.#keep ? labelled : this.#hider.exchange(labelled).exchange
  }

  /** An address without secrets, for messages about a request that is not recorded. */
  hideInUrl(url: string): string {
    return this.#keep ? url : this.#hider.url(url)
  }

  /** @param fault the step that adds the fault of the request. Without a step for the request, another one would meet it */
  add(
    sent: Exchange,
    fault: ChangeStep | null = null,
    baseUrl: string = this.#baseUrl ?? guessBaseUrl(sent.url),
  ): RecordedExchange {
    const before = this.#steps.length
    if (fault && isSendable(sent, baseUrl)) this.addChange(fault)
    const labelled = this.#labeler.withLabel(sent)
    const hidden = this.#hider.exchange(labelled)
    const { step, omitted } = toStep(hidden, baseUrl, this.#deletedRows)
    const exchange = this.#keep ? labelled : hidden.exchange
    if (!step) {
      const warnings = omitted.map((what) => `The recording leaves out ${what}.`)
      return { exchange, changed: [], warnings }
    }
    const index = this.#steps.length
    const { url, key } = hidden.exchange
    const changed = this.#steps.add(step, url.slice(baseUrl.length), baseUrl)
    if (before < index) changed.unshift(before)
    if (isUnrepeatable(step.expect?.text ?? '', this.#hider.strategy)) {
      omitted.push('the text of the response, as it contains personal data')
    }
    const warnings = [
      ...omitted.map((what) => `steps[${index}] leaves out ${what}.`),
      ...this.#labeler.warnAboutNewLabel(key, index),
    ]
    return { exchange, changed, warnings }
  }

  addChange(change: ChangeStep): void {
    this.#steps.addChange(this.#hider.change(change))
  }

  /** An entry of an archive without the secrets that later exchanges identified. */
  hideLater<T>(entry: T): T {
    return hideInTexts(entry, this.#hider.strategy) as T
  }

  /**
   * The rows of a world without secrets. Responses get the same replacements. Called before the first exchange, so that
   * they do, and after the last one, which can identify further secrets.
   */
  hideInWorld(world: WorldJson): WorldJson {
    return (this.#hider.change({ world: withoutKeyValues(world) }) as { world: WorldJson }).world
  }
}

/** The frozen clock of a recording. Steps between the requests move it, so that a replay shows the same times. */
export class RecordedClock {
  /** ISO 8601, UTC. Null if the clock runs: then times are matched, not repeated. */
  time: string | null

  /** @param start in milliseconds since 1970, or null if the clock runs */
  constructor(start: number | null) {
    this.time = start === null ? null : formatIsoTime(start)
  }

  apply(step: ChangeStep): void {
    if (!('clock' in step)) return
    this.time = typeof step.clock === 'string' && step.clock !== 'real' ? step.clock : null
  }

  /** The step that moves the clock to a time, or null if it already shows that time or runs. */
  moveTo(milliseconds: number): ChangeStep | null {
    const time = formatIsoTime(milliseconds)
    if (this.time === null || this.time === time) return null
    this.time = time
    return { clock: time }
  }
}

/** A scenario made from recorded requests. */
export interface Recording {
  readonly scenario: Scenario
  /** What the scenario leaves out, in sentences. Empty if it contains everything */
  readonly warnings: readonly string[]
}

/** The fields of a recorded scenario besides its steps. */
export type RecordingHead = Omit<Scenario, '$schema' | 'format_version' | 'title' | 'steps'> & {
  /** By default `Recorded` */
  readonly title?: string
}

const recordingOptions: OptionNames<RecorderOptions & RecordingHead> = {
  baseUrl: true,
  keys: true,
  keep: true,
  redact: true,
  title: true,
  description: true,
  world: true,
  seed: true,
  profile: true,
  settings: true,
  clock: true,
}

/** The schema of scenarios, as a file in the root folder of a project refers to it. */
const schemaPath = './node_modules/understudy-api/scenarios/scenario.schema.json'

/**
 * Makes a scenario of requests and their responses.
 *
 * Ids that a later request uses are saved. Other ids and times become matchers. Keys are named by their labels. Secrets
 * and e-mail addresses are replaced everywhere. Names of people are replaced only in fields for names, such as
 * `first_name`, so check texts before you share a recording. With `keep`, nothing is replaced.
 *
 * @throws UsageError for an unknown option, and if there are no requests
 * @example const { scenario, warnings } = recordingOf(exchanges, { title: 'A launch is announced' })
 */
export function recordingOf(
  exchanges: Iterable<Exchange>,
  allOptions: RecorderOptions & RecordingHead = {},
): Recording {
  rejectUnknownFields(allOptions, Object.keys(recordingOptions), 'record')
  const { title, ...options } = allOptions
  const { baseUrl: _b, keys: _k, keep: _e, redact: _r, ...head } = options
  const recorder = new Recorder(options)
  const warnings = [...exchanges].flatMap((exchange) => recorder.add(exchange).warnings)
  return { scenario: toScenario(recorder, { ...head, ...(title && { title }) }), warnings }
}

/** The scenario recorded so far. @throws UsageError if it has no steps */
export function toScenario(recorder: Recorder, head: RecordingHead = {}): Scenario {
  if (recorder.length === 0) {
    throw new UsageError('Failed to record: there are no requests. Send at least one.')
  }
  const steps: Step[] = Array.from({ length: recorder.length }, (_, index) => recorder.step(index))
  return { ...toScenarioHead(head), steps }
}

export function toScenarioHead({
  title = 'Recorded',
  ...head
}: RecordingHead): Omit<Scenario, 'steps'> {
  return { $schema: schemaPath, format_version: scenarioVersion, title, ...head }
}
