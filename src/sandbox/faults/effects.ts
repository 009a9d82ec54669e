import * as z from 'zod'
import { type FailureName, failureFormats } from '../../http/failures.ts'
import { jsonValueSchema } from '../../world/schema/field-schemas.ts'
import {
  type EffectName,
  type FaultEffect,
  type FaultPhase,
  type MutantKind,
  mutantKinds,
  mutationOf,
} from './rule.ts'

interface EffectDefinition {
  /** The phases that it supports. The first one is its default. */
  readonly phases: readonly [FaultPhase, ...FaultPhase[]]
  /** The effects above it in the table that it can be combined with. By default none. */
  readonly combinesWith?: readonly EffectName[] | 'all'
}

type EffectTable = {
  readonly [Name in keyof FaultEffect]-?: {
    readonly schema: z.ZodType<Exclude<FaultEffect[Name], undefined>>
  } & (Name extends EffectName ? EffectDefinition : { readonly optionOf: EffectName })
}

/** A day. Timers cannot wait longer than 24 days. */
const milliseconds = z.number().min(0).max(86_400_000)

const delay = z.union(
  [
    milliseconds,
    z.strictObject({ min: milliseconds, max: milliseconds }).refine(({ min, max }) => max >= min, {
      path: ['max'],
      error: 'expected at least min',
    }),
    z
      .strictObject({ median: milliseconds.min(1), p95: milliseconds })
      .refine(({ median, p95 }) => p95 >= median, {
        path: ['p95'],
        error: 'expected at least the median',
      }),
  ],
  { error: 'expected milliseconds, { min, max } or { median, p95 }' },
)

/** The transport sets these headers, which describe the length and the end of the body. */
const transportHeaders = ['content-length', 'transfer-encoding', 'trailer']

/** The schema of the headers of a response. */
export const headersSchema: z.ZodType<Record<string, string>> = z
  .record(z.string(), z.string())
  .refine(areValidHeaders, {
    error: `expected valid HTTP headers other than ${transportHeaders.join(', ')}`,
  })

/** Responses with these statuses have no body. */
export const bodilessStatuses: readonly number[] = [204, 205, 304]

const mutantNames = Object.keys(mutantKinds) as readonly MutantKind[]

const mutation = z.union(
  [
    z.enum(mutantNames),
    z.strictObject({ kind: z.enum(mutantNames), field: z.string().min(1).exactOptional() }),
  ],
  { error: `expected one of ${mutantNames.join(', ')}, or { kind, field }` },
)

const failureNames = Object.keys(failureFormats) as FailureName[]
const anyPhase = ['before', 'after-commit', 'mid-body'] as const

/** Every effect and its options. If a rule combines effects, the first one in this order is its main effect. */
const table: EffectTable = {
  error: { schema: z.enum(failureNames), phases: ['before', 'after-commit'] },
  detail: { schema: z.string(), optionOf: 'error' },
  retry_after_s: { schema: z.int().min(0), optionOf: 'error' },
  status: { schema: z.int().min(200).max(599), phases: ['before', 'after-commit'] },
  headers: { schema: headersSchema, optionOf: 'status' },
  body: { schema: jsonValueSchema, optionOf: 'status' },
  drop: { schema: z.literal(true), phases: anyPhase },
  stale: { schema: z.strictObject({ writes: z.int().min(1).max(1_000) }), phases: ['before'] },
  mutate: { schema: mutation, phases: ['after-commit'] },
  cut_bytes: { schema: z.int().min(0), phases: ['mid-body'] },
  slow_bytes_per_s: { schema: z.int().min(1), phases: ['mid-body'], combinesWith: ['cut_bytes'] },
  delay_ms: { schema: delay, phases: anyPhase, combinesWith: 'all' },
}

export const effectFields = Object.keys(table) as readonly (keyof FaultEffect)[]

/** The names of all effects, in the order of precedence. */
export const effectNames: readonly EffectName[] = effectFields.filter(isEffectName)

export const effectSchema = z.strictObject(
  Object.fromEntries(effectFields.map((name) => [name, table[name].schema.optional()])),
) as unknown as z.ZodType<FaultEffect>

function isEffectName(name: keyof FaultEffect): name is EffectName {
  return 'phases' in table[name]
}

/** The main effect of a valid rule. */
export function mainEffect(effect: FaultEffect): EffectName {
  return effectNames.find((name) => effect[name] !== undefined) as EffectName
}

/** The phase of a valid rule that names none. */
export function defaultPhase(effect: FaultEffect): FaultPhase {
  return table[mainEffect(effect)].phases[0]
}

/** A wrong field of a rule. */
type RuleIssue = readonly [path: string, message: string, meant?: string | undefined]

/** Finds the effects, options and phases that cannot be combined. */
export function findEffectIssues(effect: FaultEffect, phase?: FaultPhase): RuleIssue[] {
  const [main, ...others] = effectNames.filter((name) => effect[name] !== undefined)
  if (main === undefined) return [['effect', `expected one of ${effectNames.join(', ')}`]]
  const issues: RuleIssue[] = []
  for (const other of others) {
    const { combinesWith = [] } = table[other]
    if (combinesWith === 'all' || combinesWith.includes(main)) continue
    issues.push([`effect.${other}`, `expected no ${other} beside ${main}`])
  }
  for (const field of effectFields) {
    if (isEffectName(field) || effect[field] === undefined) continue
    const { optionOf } = table[field]
    if (effect[optionOf] !== undefined) continue
    issues.push([`effect.${field}`, `expected ${field} only with ${optionOf}`])
  }
  if (effect.body !== undefined && bodilessStatuses.includes(effect.status ?? 0)) {
    issues.push(['effect.body', `expected no body with status ${effect.status}`])
  }
  if (effect.delay_ms !== undefined && mutationOf(effect)?.kind === 'slow') {
    issues.push(['effect.delay_ms', 'expected no delay_ms beside slow'])
  }
  const { phases } = table[main]
  if (phase !== undefined && !phases.includes(phase)) {
    issues.push(['phase', `expected ${phases.join(' or ')} for ${main}`])
  }
  return issues
}

/** @note Headers accepts control characters, which servers cannot send. */
function areValidHeaders(values: Readonly<Record<string, string>>): boolean {
  try {
    return [...new Headers(values)].every(
      ([name, value]) =>
        !transportHeaders.includes(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
    )
  } catch {
    return false
  }
}
