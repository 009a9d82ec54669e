import type { FailureName } from '../../http/failures.ts'
import type { Json } from '../../world/rows.ts'

/** A method that a request of the service can have. */
export type FaultMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/**
 * When a fault strikes: `before` the request is carried out, after it was (`after-commit`: what it wrote stays),
 * or in the middle of the body of its answer.
 */
export type FaultPhase = 'before' | 'after-commit' | 'mid-body'

/** Which of the requests that a rule matches it disturbs: all that are said here must hold. */
export interface FaultWhen {
  /** Leaves the first so many alone. */
  readonly skip?: number
  /** Of those after, only each so-manieth: 3 is the third, the sixth, the ninth. */
  readonly every?: number
  /** From 0 to 1, by dice that follow from the seed, the rule and the count of the request. */
  readonly probability?: number
  /** At most so many in all. */
  readonly times?: number
}

/** Milliseconds: fixed, evenly between two, or as latency is distributed (log-normal). */
export type FaultDelay =
  | number
  | { readonly min: number; readonly max: number }
  | { readonly median: number; readonly p95: number }

/**
 * What a fault does. One of `error`, `status`, `drop`, `stale`, or of `cut_bytes` and `slow_bytes_per_s`, which
 * go together; `delay_ms` goes with each of them, or stands alone.
 */
export interface FaultEffect {
  /** An error of the service by its name, in the service's own form. */
  readonly error?: FailureName
  /** What the error says, in place of its usual sentence. */
  readonly detail?: string
  /** How long the error asks to wait. */
  readonly retry_after_s?: number
  /** Any status, with the headers and the body given. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: Json
  /** The connection breaks in place of an answer, or halfway through its body. */
  readonly drop?: true
  /** The connection breaks after so many bytes of the body. */
  readonly cut_bytes?: number
  /** The body comes this slowly. */
  readonly slow_bytes_per_s?: number
  /**
   * In phase `mid-body` and alone a pause halfway through the body; in `after-commit` it is waited after the
   * request was carried out; else before.
   */
  readonly delay_ms?: FaultDelay
  /** A read is answered from the rows as they were so many writes ago. */
  readonly stale?: { readonly writes: number }
}

/**
 * Disturbs requests. Without operation, method, path and key it matches every request to a path of the service.
 *
 * @example { operation: 'createAnnotation', when: { times: 1 }, phase: 'after-commit', effect: { drop: true } }
 */
export interface FaultRule {
  /** An operation id, such as `listAnnotations`. */
  readonly operation?: string
  /** As sent: HEAD is not GET. */
  readonly method?: FaultMethod | readonly FaultMethod[]
  /** Below the base URL; `:name` stands for a parameter, `*` for any segment. */
  readonly path?: string
  /** The value or the label of a key. */
  readonly key?: string
  readonly when?: FaultWhen
  /** By default `mid-body` for effects on the body, else `before`. */
  readonly phase?: FaultPhase
  readonly effect: FaultEffect
}

/** A rule that is in force. */
export interface FaultInfo extends FaultRule {
  readonly id: string
  readonly phase: FaultPhase
  /** The preset that it came with; null for one of its own. */
  readonly preset: string | null
  /** How many requests it has matched. */
  readonly matched: number
  /** How many of them it has disturbed. */
  readonly applied: number
  /** Why it can never apply, where it cannot. */
  readonly warning: string | null
}

/** The effects of which a rule has one, and the phases that each can have; the first is its default. */
export const phasesByEffect: Readonly<Record<EffectName, readonly [FaultPhase, ...FaultPhase[]]>> =
  {
    error: ['before', 'after-commit'],
    status: ['before', 'after-commit'],
    drop: ['before', 'after-commit', 'mid-body'],
    stale: ['before'],
    cut_bytes: ['mid-body'],
    slow_bytes_per_s: ['mid-body'],
    delay_ms: ['before', 'after-commit', 'mid-body'],
  }

export type EffectName =
  | 'error'
  | 'status'
  | 'drop'
  | 'stale'
  | 'cut_bytes'
  | 'slow_bytes_per_s'
  | 'delay_ms'

export const effectNames = Object.keys(phasesByEffect) as readonly EffectName[]

/** The effects that a rule has; a delay beside another one comes last. */
export function effectsOf(effect: FaultEffect): EffectName[] {
  return effectNames.filter((name) => effect[name] !== undefined)
}

/** What a rule mainly does. */
export function mainEffect(effect: FaultEffect): EffectName {
  return effectsOf(effect)[0] as EffectName
}
