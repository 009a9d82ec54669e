import type { Exchange } from '../../http/exchange.ts'
import { UsageError } from '../../utils/errors.ts'
import { mapValues } from '../../utils/json.ts'
import { checkOptions, option, optionsSchema } from '../../utils/options.ts'
import { parseDateTime } from '../../utils/python.ts'
import { parseQuery } from '../../utils/query.ts'
import { Aliases } from '../../utils/redaction/aliases.ts'
import type { WorldJson } from '../../world/world-json.ts'
import {
  type ChangeStep,
  type ExpectedResponse,
  isRequestStep,
  type RequestStep,
  type Scenario,
  type Step,
  scenarioVersion,
} from '../format/scenario.ts'
import { escapeBraces, isTime, toSpecialValue, usualTime } from '../format/values.ts'
import { type HiddenExchange, Hider, isUnread, KeyLabeler } from './hide.ts'
import { guessBaseUrl, toStep } from './to-step.ts'

/** How requests become steps. */
export interface RecorderOptions {
  /** The base URL of the API. By default, the part of each address before `/api` */
  readonly baseUrl?: string | undefined
  /** The values of keys by their labels. A key that is not listed gets a new label, unless it was refused */
  readonly keys?: Readonly<Record<string, string>> | undefined
  /** Whether to keep personal data, and secrets but keys. By default, they are replaced */
  readonly keep?: boolean | undefined
  /** Names of further headers, parameters and fields that are secret, without case */
  readonly redact?: readonly string[] | undefined
}

/** A request, or a change of the world between two requests. */
export type Recorded =
  | {
      readonly exchange: Exchange
      /** Adds the fault that the request met */
      readonly fault?: ChangeStep | null
    }
  | { readonly change: ChangeStep }

/**
 * Makes steps of requests and changes, in three stages:
 *
 * 1. hide: keys get labels. The secrets of all items are collected, then replaced.
 * 2. describe: each request becomes a step for people to read.
 * 3. generalize: times that a service sets become matchers, and links begin with the base URL of the replay.
 *
 * @param world the rows before the first item. They get the same replacements as responses
 * @param hider can have collected items already
 * @param mend changes what is parsed of an exchange in place
 */
export function recordSteps(
  items: readonly Recorded[],
  { baseUrl, keys = {}, keep = false, redact }: RecorderOptions = {},
  {
    world,
    hider = createHider({ keys, keep, redact }),
    mend,
  }: {
    readonly world?: WorldJson | undefined
    readonly hider?: Hider | undefined
    readonly mend?: (shown: HiddenExchange) => void
  } = {},
) {
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
  const add = (step: Step, base = '') => steps.push(generalizeStep(step, base, sent)) - 1
  /** The exchanges without secrets, with their bodies as JSON */
  const exchanges: HiddenExchange[] = []
  const warnings: StepWarning[] = []
  const unread: number[] = []
  /** The index of the step of each item. Null for one that no step can send */
  const stepOf = labelled.map((item): number | null => {
    if ('change' in item) return add(hider.change(item.change))
    const base = baseUrl ?? guessBaseUrl(item.exchange.url)
    const shown = hider.exchange(item.exchange)
    mend?.(shown)
    const { key } = shown.exchange
    const { step, omitted } = toStep(shown, base)
    exchanges.push(shown)
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
      const text = `{steps} uses an unknown key: replay the scenario with --target URL --key ${key}=value.`
      warnings.push({ text, steps: [index] })
    }
    return index
  })
  if (unread.length > 0 && !keep) {
    const text =
      'A body is neither JSON nor a form in {steps}. Look for secrets there: in other texts only `name=value`, `name: "value"` and `<name>value</name>` are read.'
    warnings.push({ text, steps: unread })
  }
  return { steps, stepOf, exchanges, world: hidden?.world, warnings } as const
}

/** The errors of a gateway: their pages know nothing of the request. */
const gatewayStatuses: readonly number[] = [502, 503, 504]

export function createHider({ keys = {}, keep, redact }: RecorderOptions): Hider {
  const aliases = new Aliases(keep)
  for (const key of Object.values(keys)) aliases.learnKey(key)
  return new Hider(aliases, redact)
}

/** A scenario made from recorded requests. */
export interface Recording {
  readonly scenario: Scenario
  /** What a reader must know, such as what the scenario leaves out, in sentences */
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
 * Times that the service sets become matchers. Keys are named by their labels. Secrets and e-mail addresses are replaced. Names of
 * people are replaced in fields for names, such as `first_name`, and full ones in texts, so check texts before you share a
 * recording. With `keep`, only keys are replaced.
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
  if (steps.length === 0) throw new UsageError('Failed to record: there is no request to record.')
  return { ...toScenarioHead(head), steps }
}

export function toScenarioHead({
  title = 'Recorded',
  ...head
}: RecordingHead): Omit<Scenario, 'steps'> {
  return { $schema: schemaPath, format_version: scenarioVersion, title, ...head }
}

/**
 * Makes a step that a replay can repeat, as in stage 3 of `recordSteps`.
 *
 * @param baseUrl that of the request, or of the next one after a change
 * @param sent what earlier requests sent. Gets what this one sent
 */
export function generalizeStep(step: Step, baseUrl: string, sent: Set<string>): Step {
  if ('fault' in step) return toLinks(step, baseUrl)
  if (!isRequestStep(step)) return step
  for (const value of sentTexts(step)) sent.add(value)
  const { expect } = step
  return { ...step, ...(expect && { expect: generalizeResponse(expect, baseUrl, sent) }) }
}

/** The times that a request sends, and the texts of its body with a link: a service returns both as they were sent. */
function sentTexts({ path, body, text }: RequestStep) {
  const query = parseQuery(path.split('?').slice(1).join('?'))
  const form = typeof text === 'string' ? [...parseQuery(text).values()] : []
  const texts: string[] = []
  const collect = (value: unknown) => {
    if (typeof value === 'string') texts.push(usualTime(value))
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect)
  }
  collect([[...query.values()].filter(isTime), body, form])
  return texts.filter((value) => value.includes(':'))
}

/** One object for all times: a long recording has many. */
const anyTime = { $match: 'time' } as const

function generalizeResponse(
  expect: ExpectedResponse,
  baseUrl: string,
  sent: ReadonlySet<string>,
): ExpectedResponse {
  const { headers } = expect
  const toExpected = (value: unknown, name?: string): unknown => {
    if (typeof value === 'string') {
      // Clients write dates, also those that sent them before the recording.
      const isDate = name === 'date_marker' && parseDateTime(value) === value
      // Times and links have a colon.
      if (isDate || !value.includes(':') || sent.has(usualTime(value))) return value
      return isTime(value) ? anyTime : toLinks(value, baseUrl)
    }
    if (typeof value !== 'object' || value === null) return value
    return toSpecialValue(value) ? value : mapValues(value, toExpected)
  }
  return {
    ...expect,
    ...(headers && { headers: toLinks(headers, baseUrl) }),
    ...('exact_body' in expect && { exact_body: toExpected(expect.exact_body) }),
  }
}

/** Replaces the base URL of the links in all texts of a value. */
function toLinks<T>(value: T, baseUrl: string): T {
  if (typeof value === 'string') {
    const parts = baseUrl === '' ? [value] : value.split(`${baseUrl}/`)
    const saved = { $saved: parts.map(escapeBraces).join('{base_url}/') }
    return parts.length === 1 ? value : (saved as T)
  }
  if (typeof value !== 'object' || value === null) return value
  return mapValues(value, (inner) => toLinks(inner, baseUrl)) as T
}

/** What a reader of a scenario must know. `{steps}` stands for steps, such as `steps[3]`. */
export interface StepWarning {
  readonly text: string
  /** The indexes of the steps. Empty for a warning about no step */
  readonly steps: readonly number[]
}

const shownSteps = 3

export function nameOfStep(index: number): string {
  return `steps[${index}]`
}

/** Writes warnings as sentences, without those whose steps are gone. @param nameOf names a step, or returns null */
export function formatStepWarnings(
  warnings: readonly StepWarning[],
  nameOf: (step: number) => string | null = nameOfStep,
): string[] {
  return warnings.flatMap(({ text, steps }) => {
    if (steps.length === 0) return [text]
    const places = steps.flatMap((step) => nameOf(step) ?? [])
    const shown = places.length > shownSteps ? [...places.slice(0, shownSteps), '…'] : places
    return places.length === 0 ? [] : [text.replace('{steps}', shown.join(', '))]
  })
}
