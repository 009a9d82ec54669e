import { type FailureName, failureFormats } from '../../http/failures.ts'
import { formatCount } from '../../utils/text.ts'
import type { RowEdit } from '../../world/edit/edit-rows.ts'
import type { Json } from '../../world/rows.ts'
import type { RequestPattern } from '../request-pattern.ts'

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
  /**
   * From 0 to 1. Random, but reproducible: it depends on the seed, the rule, the number of the request, and the
   * name of the sandbox or else its number.
   */
  readonly probability?: number
  /** Applies at most this many times. */
  readonly times?: number
  /** Applies for so many seconds of the clock from the first request on that it applies to, as a rate limit does. */
  readonly for_s?: number
}

/**
 * What a fault does: one of `error`, `status`, `drop`, `edit` and `cut_bytes`. `hold`, `stall_bytes`, `bytes_per_s` and
 * `delay_ms` can be combined with each of them, or used alone.
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
  /** Headers of the response of `status` or `error`. `{base_url}` in them is the URL below which the API is served. */
  readonly headers?: Readonly<Record<string, string>>
  /** Text is sent as it is, any other value as JSON. `{base_url}` in it is the URL below which the API is served. */
  readonly body?: Json
  /** Breaks the connection instead of responding. */
  readonly drop?: true
  /** Breaks the connection after this many bytes of a longer body. */
  readonly cut_bytes?: number
  /**
   * Changes rows after the request was carried out and before its response is sent, as another client would. In phase
   * `before`, before it is carried out. If one edit fails, none is made.
   */
  readonly edit?: readonly RowEdit[]
  /**
   * Holds the request until the fault is removed, or its time is over. A request that its client gives up, or that is held
   * when the simulator is reset, is not carried out. In phase `after-commit` it was, and only its response waits.
   */
  readonly hold?: true
  /**
   * Sends the headers and this many bytes of the body, and the rest when the fault is removed or its time is over: a
   * connection that stalls. A body with no more bytes arrives whole.
   */
  readonly stall_bytes?: number
  /** Sends the headers at once, and the body slowly: this many bytes in a second. */
  readonly bytes_per_s?: number
  /** The longest time that a request is held or a body stalls, in milliseconds, up to 600,000. Defaults to 30,000. */
  readonly timeout_ms?: number
  /**
   * Delays the response by so many milliseconds: the request is carried out at once, as by a slow server whose client may time out. In phase
   * `before`, the default of `error`, `status`, `drop` and `hold`, the request waits, and is not carried out if its client
   * gives up.
   */
  readonly delay_ms?: number
}

/**
 * Injects a fault into matching requests. Without a field of `RequestPattern` it matches every request for a path of the API.
 *
 * @example { operation: 'createAnnotation', when: { times: 1 }, phase: 'after-commit', effect: { drop: true } }
 */
export interface FaultRule extends RequestPattern {
  readonly when?: FaultWhen
  /** Defaults to `before` for `error`, `status`, `drop`, and `hold` without `edit` or `cut_bytes`, else to `after-commit`. */
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
  /** The requests that it makes wait now. */
  readonly waiting: readonly WaitingRequest[]
}

/** A request that a fault makes wait, before its response or within it. */
export interface WaitingRequest {
  /** The id of its journal entry, which it may get later */
  readonly id: number
  readonly method: string
  readonly path: string
  /** How long this wait has lasted, in milliseconds */
  readonly ms: number
}

/** Each field of an effect, except those that are valid only beside another one. */
export type EffectName = Exclude<keyof FaultEffect, EffectOption>

/** A field of an effect that is valid only beside another one. */
type EffectOption = 'detail' | 'retry_after_s' | 'headers' | 'body' | 'timeout_ms'

interface EffectTraits {
  /** What it does to the response of the service: takes its place, changes it, edits rows after it, or only delays it. */
  readonly kind: 'replaces' | 'changes' | 'edits' | 'delays'
  /** The phases that it supports. The first one is its default. */
  readonly phases: readonly [FaultPhase, ...FaultPhase[]]
  /** For a menu. */
  readonly examples: readonly FaultEffect[]
  /** Says what it does. @param waits whether the request waits before it is carried out, not its response */
  readonly describe: (effect: FaultEffect, isBefore: boolean, waits: boolean) => string
}

/**
 * What people read about each effect; effects.ts has what it does. In the order of precedence: the first effect of a rule
 * is its main effect, and decides its default phase.
 */
export const effectTraits: { readonly [Name in EffectName]: EffectTraits } = {
  error: {
    kind: 'replaces',
    phases: ['before', 'after-commit'],
    examples: (Object.keys(failureFormats) as FailureName[])
      .sort((a, b) => failureFormats[a].status - failureFormats[b].status)
      .map((error) => ({ error })),
    describe: ({ error = 'server_error' }) =>
      `the response is a ${failureFormats[error].status} (${error.replaceAll('_', ' ')})`,
  },
  status: {
    kind: 'replaces',
    phases: ['before', 'after-commit'],
    examples: [{ status: 418 }],
    describe: ({ status }) => `the response is a ${status}`,
  },
  drop: {
    kind: 'changes',
    phases: ['before', 'after-commit'],
    examples: [{ drop: true }],
    describe: (_, isBefore) =>
      isBefore
        ? 'the connection drops before the request is carried out'
        : 'the connection drops after the server handled the request',
  },
  edit: {
    kind: 'edits',
    phases: ['after-commit', 'before'],
    examples: [{ edit: [{ rows: { annotations: [{ content: 'By another client' }] } }] }],
    describe: (_, isBefore) =>
      `another client changes rows ${isBefore ? 'before' : 'after'} the request`,
  },
  cut_bytes: {
    kind: 'changes',
    phases: ['after-commit'],
    examples: [{ cut_bytes: 100 }],
    describe: ({ cut_bytes = 0 }) =>
      `the connection drops after ${formatCount(cut_bytes, 'byte')} of the body`,
  },
  hold: {
    kind: 'delays',
    phases: ['before', 'after-commit'],
    examples: [{ hold: true }],
    describe: (_, isBefore) =>
      `the ${isBefore ? 'request' : 'response'} waits until the fault is removed or times out`,
  },
  stall_bytes: {
    kind: 'delays',
    phases: ['after-commit'],
    examples: [{ stall_bytes: 0 }],
    describe: ({ stall_bytes = 0 }) =>
      `the response stops after ${stall_bytes === 0 ? 'its headers' : `${formatCount(stall_bytes, 'byte')} of the body`} until the fault is removed or times out`,
  },
  bytes_per_s: {
    kind: 'delays',
    phases: ['after-commit'],
    examples: [{ bytes_per_s: 100 }],
    describe: ({ bytes_per_s = 0 }) =>
      `the body comes at ${formatCount(bytes_per_s, 'byte')} per second`,
  },
  delay_ms: {
    kind: 'delays',
    phases: ['after-commit', 'before'],
    examples: [{ delay_ms: 2_000 }],
    describe: ({ delay_ms = 0, drop }, _, waits) =>
      waits
        ? `the request waits ${delay_ms.toLocaleString('en')} ms before it is carried out`
        : `the ${drop ? 'drop' : 'response'} is delayed by ${delay_ms.toLocaleString('en')} ms`,
  },
}

/** How long a fault can last, or delay a request: a day. */
export const maxFaultSeconds = 86_400

export const effectNames = Object.keys(effectTraits) as readonly EffectName[]

/** The phase of a valid rule that names none. */
export function defaultPhase(effect: FaultEffect): FaultPhase {
  const main = effectNames.find((name) => effect[name] !== undefined) as EffectName
  return effectTraits[main].phases[0]
}

export function isReplacing(name: EffectName): boolean {
  return effectTraits[name].kind === 'replaces'
}

/**
 * @example describeFault({ when: { times: 1 }, effect: { drop: true } }) // 'The first request: the connection drops before the request is carried out'
 */
export function describeFault(rule: FaultRule): string {
  return `${describeRequests(rule)}: ${describeEffect(rule.effect, rule.phase)}`
}

function describeRequests(rule: FaultRule) {
  const { operation, method, path, key, query, body, when = {} } = rule
  const { skip = 0, every, probability = 1, times, for_s } = when
  const kind = [operation ?? method ?? []].flat().join(', ')
  const target = [
    path && ` to ${path}`,
    key && ` with the key ${key}`,
    query && ` with the query ${JSON.stringify(query)}`,
    body !== undefined && ` with the body ${JSON.stringify(body)}`,
  ]
    .filter(Boolean)
    .join('')
  const named = (noun: string) => `${kind} ${noun}`.trim() + target
  const after = skip > 0 ? ` after the first ${skip === 1 ? 'one' : skip}` : ''
  const share = describeShare(every, probability)
  const end = for_s === undefined ? '' : `, for ${for_s} s`
  if (share === '' && times !== undefined && skip === 0 && end === '') {
    return times === 1 ? `The first ${named('request')}` : `The first ${times} ${named('requests')}`
  }
  const most = times === undefined ? '' : `, at most ${formatCount(times, 'time')}`
  const requests = share === '' ? `Every ${named('request')}` : `${share} ${named('requests')}`
  return requests + after + most + end
}

/** @returns an empty text for all requests */
function describeShare(every = 1, probability: number) {
  const percent = `${Number((probability * 100).toFixed(1))}% of`
  if (probability === 1) return every === 1 ? '' : `1 in ${every}`
  return every > 1 ? `${percent} 1 in ${every}` : percent
}

/**
 * @param names the effects to describe. By default all of them
 * @example describeEffect({ drop: true, delay_ms: 200 }) // 'the connection drops before the request is carried out, and the drop is delayed by 200 ms'
 */
export function describeEffect(
  effect: FaultEffect,
  phase: FaultPhase = defaultPhase(effect),
  names: readonly EffectName[] = effectNames.filter((name) => effect[name] !== undefined),
): string {
  const isBefore = phase === 'before'
  const waits = isBefore && (effect.error ?? effect.status ?? effect.drop) === undefined
  const sentence = effectNames
    .filter((name) => names.includes(name))
    .map((name) => effectTraits[name].describe(effect, isBefore, waits))
    .join(', and ')
  const isCarriedOut = !isBefore && names.some(isReplacing)
  return isCarriedOut ? `${sentence}, but the server handled the request` : sentence
}

/** Whether a fault broke the connection within the body of a recorded response. @param length that of the whole body */
export function isBodyCut(
  { method, fault }: { method: string; fault: { effect?: unknown } | null },
  length: number,
): boolean {
  const { cut_bytes = length } = Object(fault?.effect) as FaultEffect
  return method !== 'HEAD' && cut_bytes < length
}
