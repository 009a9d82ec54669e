import type { Exchange } from '../../http/exchange.ts'
import { UsageError } from '../../utils/errors.ts'
import { checkOptions, option, optionsSchema } from '../../utils/options.ts'
import { Aliases } from '../../utils/redaction/aliases.ts'
import type { WorldJson } from '../../world/world-json.ts'
import { type ChangeStep, type Scenario, type Step, scenarioVersion } from '../format/scenario.ts'
import { generalizeStep } from './generalize.ts'
import { type HiddenExchange, Hider, isUnread, KeyLabeler } from './hide.ts'
import { formatStepWarnings, type StepWarning } from './step-warnings.ts'
import { guessBaseUrl, toStep } from './to-step.ts'

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

/** What a recording is made of: a request, or a change of the world between two requests. */
export type Recorded =
  | {
      readonly exchange: Exchange
      /** Adds the fault that the request met */
      readonly fault?: ChangeStep | null
    }
  | { readonly change: ChangeStep }

interface RecordedSteps {
  readonly steps: readonly Step[]
  /** The index of the step of each item. Null for one that no step can send */
  readonly stepOf: readonly (number | null)[]
  /** The exchanges without secrets, with their bodies as JSON */
  readonly exchanges: readonly HiddenExchange[]
  /** The world without secrets */
  readonly world: WorldJson | undefined
  /** What the steps leave out */
  readonly warnings: readonly StepWarning[]
}

/**
 * Makes steps of requests and changes, in three stages:
 *
 * 1. hide: keys get labels. The secrets of all items are collected, then replaced.
 * 2. describe: each request becomes a step for people to read.
 * 3. generalize: times become matchers, and links begin with the base URL of the replay.
 *
 * @param world the rows before the first item. They get the same replacements as responses
 */
export function recordSteps(
  items: readonly Recorded[],
  { baseUrl, keys = {}, keep = false, redact }: RecorderOptions = {},
  world?: WorldJson,
): RecordedSteps {
  const hider = createHider({ keys, keep, redact })
  const labeler = new KeyLabeler(keys)
  const start: ChangeStep | null = world ? { world } : null
  if (start) hider.collectChange(start)
  const labelled = items.map((item): Recorded => {
    if ('change' in item) hider.collectChange(item.change)
    else {
      if (item.fault) hider.collectChange(item.fault)
      hider.collect(item.exchange)
      return { ...item, exchange: labeler.withLabel(item.exchange) }
    }
    return item
  })
  const hidden = start && (hider.change(start) as { readonly world: WorldJson })
  const steps: Step[] = []
  const sent = new Set<string>()
  const add = (step: Step, base = ''): number => steps.push(generalizeStep(step, base, sent)) - 1
  const exchanges: HiddenExchange[] = []
  const warnings: StepWarning[] = []
  const unread: number[] = []
  const stepOf = labelled.map((item): number | null => {
    if ('change' in item) return add(hider.change(item.change))
    const base = baseUrl ?? guessBaseUrl(item.exchange.url)
    const shown = hider.exchange(item.exchange)
    const { key } = shown.exchange
    const { step, omitted } = toStep(shown, base)
    exchanges.push(keep ? { ...shown, exchange: item.exchange } : shown)
    if (!step) {
      for (const what of omitted)
        warnings.push({ text: `The recording leaves out ${what}.`, steps: [] })
      return null
    }
    // Without a step for the request, another one would meet the fault.
    if (item.fault) add(hider.change(item.fault), base)
    const index = add(step, base)
    const { request, response } = shown.exchange
    const isOfGateway = gatewayStatuses.includes(response.status)
    const isPage = isUnread(response, shown.received) && !isOfGateway
    if (isUnread(request, shown.sent) || isPage) unread.push(index)
    for (const what of omitted)
      warnings.push({ text: `{steps} leaves out ${what}.`, steps: [index] })
    if (key && labeler.isFirstUse(key)) {
      const text = `{steps} uses an unknown key: replay the scenario with --key ${key}=value.`
      warnings.push({ text, steps: [index] })
    }
    return index
  })
  if (unread.length > 0 && !keep) {
    const text =
      'A body is neither JSON nor a form in {steps}. Look for secrets there: in other texts only `name=value` and `name: "value"` are read.'
    warnings.push({ text, steps: unread })
  }
  return { steps, stepOf, exchanges, world: hidden?.world, warnings }
}

/** The errors of a gateway: their pages know nothing of the request. */
const gatewayStatuses: readonly number[] = [502, 503, 504]

/** Hides secrets by the rules of a recording. */
export function createHider({ keys = {}, keep, redact }: RecorderOptions): Hider {
  const aliases = new Aliases(keep)
  for (const key of Object.values(keys)) aliases.learnKey(key)
  return new Hider(aliases, redact)
}

/** A scenario made from recorded requests. */
export interface Recording {
  readonly scenario: Scenario
  /** What the scenario leaves out, in sentences. Empty if it contains everything */
  readonly warnings: readonly string[]
}

/** The fields of a recorded scenario besides its steps. */
export type RecordingHead = Omit<
  Scenario,
  '$schema' | 'format_version' | 'title' | 'steps' | 'test'
> & {
  /** By default `Recorded` */
  readonly title?: string
}

const recordingSchema = optionsSchema<RecorderOptions & RecordingHead>({
  baseUrl: option.text,
  keys: option.object,
  keep: option.flag,
  redact: option.texts,
  title: option.text,
  description: option.text,
  world: option.any,
  seed: option.any,
  profile: option.any,
  settings: option.any,
  clock: option.any,
})

/** The schema of scenarios, as a file in the root folder of a project refers to it. */
const schemaPath = './node_modules/understudy-api/scenarios/scenario.schema.json'

/**
 * Makes a scenario of requests and their responses.
 *
 * Times become matchers. Keys are named by their labels. Secrets
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
  checkOptions(recordingSchema, allOptions, 'record')
  const { title, baseUrl, keys, keep, redact, ...head } = allOptions
  const items = Array.from(exchanges, (exchange) => ({ exchange }))
  const { steps, warnings } = recordSteps(items, { baseUrl, keys, keep, redact })
  return {
    scenario: toScenario(steps, { ...head, ...(title && { title }) }),
    warnings: formatStepWarnings(warnings),
  }
}

/** @throws UsageError without steps */
export function toScenario(steps: readonly Step[], head: RecordingHead): Scenario {
  if (steps.length === 0) {
    throw new UsageError('Failed to record: there are no requests. Send at least one.')
  }
  return { ...toScenarioHead(head), steps }
}

export function toScenarioHead({
  title = 'Recorded',
  ...head
}: RecordingHead): Omit<Scenario, 'steps'> {
  return { $schema: schemaPath, format_version: scenarioVersion, title, ...head }
}
