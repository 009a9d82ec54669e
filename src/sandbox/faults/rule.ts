import { type FailureName, failureFormats } from '../../http/failures.ts'
import type { RowEdit } from '../../world/edit/edit-rows.ts'
import type { Json } from '../../world/rows.ts'
import { describePattern, type RequestPattern } from '../request-pattern.ts'

/** A method that a rule can match. */
export type FaultMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/**
 * When a fault applies: `before` the endpoint runs, or `after-commit` (the endpoint ran and its writes stay). Each effect has
 * a default phase.
 */
export type FaultPhase = 'before' | 'after-commit'

/** The matching requests that a fault applies to. All conditions must hold. */
export interface FaultWhen {
  /** Skips the first requests. */
  readonly skip?: number
  /** Applies to every nth request after the skipped ones: 3 is the third, the sixth, the ninth. */
  readonly every?: number
  /** From 0 to 1. Random, but reproducible: it depends on the seed, the rule and the number of the request. */
  readonly probability?: number
  /** Applies at most this many times. */
  readonly times?: number
}

/** Milliseconds: fixed, or uniformly distributed. */
export type FaultDelay = number | { readonly min: number; readonly max: number }

/** A form of a response that the documentation allows. No client may depend on the usual form. */
export type VariantKind =
  | 'null'
  | 'new_value'
  | 'extra_field'
  | 'empty_text'
  | 'long_text'
  | 'seconds'
  | 'empty_page'
  | 'row_order'

/** What each kind changes, and how. */
export const variantKinds: Readonly<
  Record<VariantKind, readonly [subject: string, verb: string, rest: string]>
> = {
  null: ['every field that can be null', 'is', 'null'],
  new_value: ['every field whose values are not documented', 'has', 'a new value'],
  extra_field: ['every row', 'has', 'one more field'],
  empty_text: ['every free text', 'is', 'empty'],
  long_text: ['every free text', 'is', 'very long'],
  seconds: ['every time', 'has', 'whole seconds'],
  empty_page: ['the page', 'is', 'empty although its next leads to the rows'],
  row_order: ['the page', 'has', 'its rows in reverse order'],
}

/** A variant of one field, or of all fields that its kind can change. */
export interface ResponseVariant {
  readonly kind: VariantKind
  /** The path of a field, such as `created_by.email`. By default every field that the kind can change. */
  readonly field?: string
}

/** The variant of an effect, if it has one. */
export function variantOf({ variant }: FaultEffect): ResponseVariant | undefined {
  return typeof variant === 'string' ? { kind: variant } : variant
}

/**
 * What a fault does: one of `error`, `status`, `drop`, `variant`, `edit` and `cut_bytes`. `hold` and `delay_ms` can be
 * combined with each of them, or used alone.
 */
export interface FaultEffect {
  /** Responds with an error of the service, in the format of the service. */
  readonly error?: FailureName
  /** Replaces the sentence of the error. */
  readonly detail?: string
  /** The number of seconds after which the error allows a retry. */
  readonly retry_after_s?: number
  /** Responds with this status, and with `headers` and `body`. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text is sent as it is, any other value as JSON. */
  readonly body?: Json
  /** Breaks the connection instead of responding. */
  readonly drop?: true
  /** Breaks the connection after this many bytes of the body. */
  readonly cut_bytes?: number
  /**
   * Changes rows after the request was carried out and before its response is sent, as another client would. One after the
   * other; if one fails, the rest is left out.
   */
  readonly edit?: readonly RowEdit[]
  /**
   * Holds the request until the fault is removed, or its time is over. A request that its client gives up, or that is held
   * when the simulator is reset, is not carried out. In phase `after-commit` it was, and only its response waits.
   */
  readonly hold?: true
  /** The longest time that a request is held, in milliseconds, up to 600,000. Defaults to 30,000. */
  readonly timeout_ms?: number
  /** Delays the request. In phase `after-commit` the delay follows the endpoint, else it precedes the endpoint. */
  readonly delay_ms?: FaultDelay
  /** Changes a successful response within the documentation. Requests that fail are not affected. */
  readonly variant?: VariantKind | ResponseVariant
}

/**
 * Injects a fault into matching requests. Without operation, method, path and key it matches every request to the API.
 *
 * @example { operation: 'createAnnotation', when: { times: 1 }, phase: 'after-commit', effect: { drop: true } }
 */
export interface FaultRule extends RequestPattern {
  /** An operation id, such as `listAnnotations`. Excludes `method` and `path`. */
  readonly operation?: string
  /** The method as sent: GET does not include HEAD. */
  readonly method?: FaultMethod | readonly FaultMethod[]
  readonly when?: FaultWhen
  /** Defaults to `after-commit` for `variant`, `edit` and `cut_bytes`, else to `before`. */
  readonly phase?: FaultPhase
  readonly effect: FaultEffect
}

/** A rule that was added, with its counters. */
export interface FaultInfo extends FaultRule {
  readonly id: string
  readonly phase: FaultPhase
  /** The name of its preset, or null. */
  readonly preset: string | null
  /** How many requests it matched. */
  readonly matched: number
  /** How many requests it was applied to. */
  readonly applied: number
  /** How many requests it holds now. Only for `hold`. */
  readonly waiting?: number
}

/** Each field of an effect, except those that are valid only beside another one. */
export type EffectName = Exclude<
  keyof FaultEffect,
  'detail' | 'retry_after_s' | 'headers' | 'body' | 'timeout_ms'
>

/** What an effect does to the response of the service: takes its place, changes it, edits rows after it, or only delays it. */
type EffectKind = 'replaces' | 'changes' | 'edits' | 'delays'

interface EffectTraits {
  readonly kind: EffectKind
  /** The phases that it supports. The first one is its default. */
  readonly phases: readonly [FaultPhase, ...FaultPhase[]]
}

const beforeOrAfter = ['before', 'after-commit'] as const

/** In the order of precedence. */
export const effectTraits: { readonly [Name in EffectName]: EffectTraits } = {
  error: { kind: 'replaces', phases: beforeOrAfter },
  status: { kind: 'replaces', phases: beforeOrAfter },
  drop: { kind: 'changes', phases: beforeOrAfter },
  variant: { kind: 'changes', phases: ['after-commit'] },
  edit: { kind: 'edits', phases: ['after-commit'] },
  cut_bytes: { kind: 'changes', phases: ['after-commit'] },
  hold: { kind: 'delays', phases: beforeOrAfter },
  delay_ms: { kind: 'delays', phases: beforeOrAfter },
}

/** The names of all effects, in the order of precedence. */
export const effectNames = Object.keys(effectTraits) as readonly EffectName[]

/** The main effect of a valid rule. */
export function mainEffect(effect: FaultEffect): EffectName {
  return effectNames.find((name) => effect[name] !== undefined) as EffectName
}

/** The phase of a valid rule that names none. */
export function defaultPhase(effect: FaultEffect): FaultPhase {
  return effectTraits[mainEffect(effect)].phases[0]
}

/** Whether an effect responds in place of the service. */
export function isReplacing(name: EffectName): boolean {
  return effectTraits[name].kind === 'replaces'
}

/** An effect without its delays. One that only delays has a delay of 0 ms then. */
export function withoutDelays(effect: FaultEffect): FaultEffect {
  const others = Object.entries(effect).filter(
    ([name]) => name !== 'timeout_ms' && effectTraits[name as EffectName]?.kind !== 'delays',
  )
  return others.length === 0 ? { delay_ms: 0 } : Object.fromEntries(others)
}

type DescribedName = Exclude<EffectName, 'drop'>

const effectDescriptions: {
  readonly [Name in DescribedName]: (value: NonNullable<FaultEffect[Name]>) => string
} = {
  error: (name) =>
    `the response is a ${failureFormats[name].status} (${name.replaceAll('_', ' ')})`,
  status: (status) => `the response is a ${status}`,
  variant: (variant) => describeVariant(variantOf({ variant }) as ResponseVariant),
  cut_bytes: (bytes) => `the connection drops after ${countOf(bytes, 'byte')} of the body`,
  edit: () => 'another client changes rows after the request',
  hold: () => 'the request waits until the fault is removed',
  delay_ms: (delay) => `the response is delayed by ${describeDelay(delay)}`,
}

const dropDescriptions: Readonly<Record<FaultPhase, string>> = {
  before: 'the connection drops before the request is carried out',
  'after-commit': 'the connection drops after the server handled the request',
}

/**
 * Describes what a fault does to a response.
 *
 * @param names the effects to describe. By default all of them
 * @example describeEffect({ drop: true, delay_ms: 200 }) // 'the connection drops before the request is carried out, and the response is delayed by 200 ms'
 */
export function describeEffect(
  effect: FaultEffect,
  phase: FaultPhase = 'before',
  names: readonly EffectName[] = effectNames.filter((name) => effect[name] !== undefined),
): string {
  const described = Object.keys(effectDescriptions) as DescribedName[]
  const describe = <Name extends DescribedName>(name: Name): string | undefined => {
    const value = effect[name]
    return value == null ? undefined : effectDescriptions[name](value)
  }
  const isReplaced = names.some(isReplacing)
  return [
    names.includes('drop') && dropDescriptions[phase],
    ...described.filter((name) => names.includes(name)).map(describe),
    phase === 'after-commit' && isReplaced && 'but the server handled the request',
  ]
    .filter(Boolean)
    .join(', and ')
    .replace(', and but', ', but')
}

/** @example describeVariant({ kind: 'null', field: 'created_by' }) // 'created_by is null' */
export function describeVariant(
  { kind, field }: ResponseVariant,
  adverb: 'never ' | '' = '',
): string {
  const [subject, verb, rest] = variantKinds[kind]
  const said = verb === 'is' ? `is ${adverb}` : `${adverb}${verb} `
  return `${field ?? subject} ${said}${rest}`
}

function describeDelay(delay: FaultDelay): string {
  if (typeof delay === 'number') return `${delay.toLocaleString('en')} ms`
  return `${delay.min} to ${delay.max} ms`
}

function countOf(count: number, singular: string): string {
  return `${count.toLocaleString('en')} ${singular}${count === 1 ? '' : 's'}`
}

/**
 * Says which faults never applied, a sentence for each rule or preset: it is misspelt, or the client did not send what the
 * fault is about.
 *
 * @param faults as `simulator.faults.list()` returns them
 */
export function describeUnapplied(faults: readonly FaultInfo[]): string[] {
  const groups = new Map<string, FaultInfo[]>()
  for (const fault of faults.toReversed()) {
    const name = fault.preset ?? `${fault.id} (${describePattern(fault)})`
    groups.set(name, [...(groups.get(name) ?? []), fault])
  }
  return [...groups].flatMap(([name, rules]) =>
    rules.every(({ applied }) => applied === 0)
      ? [`The fault ${name} never applied: ${whyUnapplied(rules)}.`]
      : [],
  )
}

function whyUnapplied(rules: readonly FaultInfo[]): string {
  const matched = Math.max(...rules.map((rule) => rule.matched))
  if (matched === 0) return 'no request matched it'
  const requests = countOf(matched, 'request')
  if (rules.some(({ when }) => (when?.probability ?? 1) < 1)) {
    return `chance selected none of ${requests}, and another seed selects others`
  }
  return rules.some(({ when }) => when)
    ? `its \`when\` selected none of ${requests}`
    : `a fault that was added later applied to each of ${requests}`
}

/** Named rules for a situation. */
interface FaultPreset {
  readonly description: string
  readonly rules: readonly FaultRule[]
}

/** The presets by name. */
export const presets: Readonly<Record<string, FaultPreset>> = {
  flaky: {
    description:
      'One request in five fails: half of them with a server error, the others with a dropped connection before or after the server handled the request.',
    // Only the first rule that matches applies, so each probability is a share of the requests that remain.
    rules: [
      { when: { probability: 0.1 }, effect: { error: 'server_error' } },
      { when: { probability: 0.05 / 0.9 }, effect: { drop: true } },
      { when: { probability: 0.05 / 0.85 }, phase: 'after-commit', effect: { drop: true } },
    ],
  },
  'slow-3g': {
    // "Slow 3G" of Chrome's developer tools has a latency of five times 400 ms.
    description: 'Every request waits two seconds.',
    rules: [{ effect: { delay_ms: 2_000 } }],
  },
  outage: {
    description: 'Every request gets a 503 HTML page, as from a proxy whose backend is down.',
    rules: [
      {
        effect: {
          status: 503,
          headers: { 'content-type': 'text/html' },
          body: '<html><head><title>503 Service Unavailable</title></head><body><h1>503 Service Unavailable</h1></body></html>',
        },
      },
    ],
  },
  'read-only': {
    description: "Every write gets the service's 403. Reads work.",
    rules: [
      {
        method: ['POST', 'PUT', 'PATCH', 'DELETE'],
        effect: { error: 'permission_denied', detail: 'The service is read-only at the moment.' },
      },
    ],
  },
}

export const presetNames: readonly string[] = Object.keys(presets)
