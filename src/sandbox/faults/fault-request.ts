import * as z from 'zod'
import { failureFormats } from '../../http/failures.ts'
import { describeIssues, suggestFields } from '../../utils/schema-issues.ts'
import { didYouMean, UsageError, unexpectedValue } from '../../utils/usage-error.ts'
import { jsonValueSchema } from '../../world/schema/field-schemas.ts'
import { requestPatternFields } from '../request-pattern.ts'
import {
  effectNames,
  effectsOf,
  type FaultEffect,
  type FaultInfo,
  type FaultRule,
  phasesByEffect,
  presetNames,
  presets,
  requiredEffects,
} from './rule.ts'

/** A rule, or the name of a preset. */
export type FaultRequest = FaultRule | { readonly preset: string }

/** A rule, and the preset that it belongs to. */
export interface PresetRule {
  readonly rule: FaultRule
  readonly preset: string | null
}

const task = 'add a fault'

/** Copies the requested rules. @throws UsageError with every issue, and the field of the first one */
export function parseFaultRequest(request: FaultRequest): PresetRule[] {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    throw unexpectedValue(task, 'a rule or a preset as { preset: name }', request)
  }
  return 'preset' in request ? presetRules(request) : [{ rule: parseRule(request), preset: null }]
}

/** Parses the value of `--fault`: the name of a preset, or a rule as JSON. @throws UsageError for any other text */
export function parseFault(text: string): FaultRequest {
  if (presetNames.includes(text)) return { preset: text }
  let request: FaultRequest
  try {
    request = JSON.parse(text)
  } catch {
    const expected = `a preset (${presetNames.join(', ')}) or a rule as JSON`
    const suggestion = text.startsWith('{') ? undefined : didYouMean(text, presetNames)
    throw unexpectedValue('read a fault', expected, text, suggestion, 'fault')
  }
  parseFaultRequest(request)
  return request
}

function presetRules({ preset: name, ...rest }: { readonly preset: string }): PresetRule[] {
  const [otherField] = Object.keys(rest)
  if (otherField !== undefined) {
    throw unexpectedValue(task, 'no field beside preset', otherField, undefined, otherField)
  }
  const preset = Object.hasOwn(presets, name) ? presets[name] : undefined
  if (preset) return preset.rules.map((rule) => ({ rule, preset: name }))
  const expected = `one of the presets ${presetNames.join(', ')}`
  throw unexpectedValue(task, expected, name, didYouMean(String(name), presetNames), 'preset')
}

function parseRule(request: FaultRule): FaultRule {
  rejectUnknownEffect(request.effect)
  const parsed = faultRuleSchema.safeParse(request, suggestFields)
  if (parsed.success) return structuredClone(parsed.data)
  const issues = describeIssues(parsed.error, request, 'rule')
  throw new UsageError('Failed to add a fault. Nothing was changed.', issues)
}

const effectFields = [...effectNames, ...Object.keys(requiredEffects)]

/** Reports a misspelt effect, the likeliest mistake, with all effects. */
function rejectUnknownEffect(effect: unknown): void {
  if (typeof effect !== 'object' || effect === null) return
  const unknown = Object.keys(effect).find((name) => !effectFields.includes(name))
  if (unknown === undefined) return
  const expected = `an effect of ${effectNames.join(', ')}`
  const suggestion = didYouMean(unknown, effectFields)
  throw unexpectedValue(task, expected, unknown, suggestion, `effect.${unknown}`)
}

/** A day. Timers cannot wait longer than 24 days. */
const maxDelay = 86_400_000

const milliseconds = z.number().min(0).max(maxDelay)

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

const headers = z.record(z.string(), z.string()).refine(areValidHeaders, {
  error: `expected valid HTTP headers other than ${transportHeaders.join(', ')}`,
})

const effect = z.strictObject({
  error: z.enum(Object.keys(failureFormats)).optional(),
  detail: z.string().optional(),
  retry_after_s: z.int().min(0).optional(),
  status: z.int().min(200).max(599).optional(),
  headers: headers.optional(),
  body: jsonValueSchema.optional(),
  drop: z.literal(true).optional(),
  cut_bytes: z.int().min(0).optional(),
  slow_bytes_per_s: z.int().min(1).optional(),
  delay_ms: delay.optional(),
  stale: z.strictObject({ writes: z.int().min(1).max(1_000) }).optional(),
})

const when = z.strictObject({
  skip: z.int().min(0).optional(),
  every: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
  times: z.int().min(0).optional(),
})

const ruleFields = {
  ...requestPatternFields,
  when: when.optional(),
  phase: z.enum(['before', 'after-commit', 'mid-body']).optional(),
  effect,
}

/** A fault rule: each field, and the combinations of fields. */
export const faultRuleSchema: z.ZodType<FaultRule> = z
  .strictObject(ruleFields)
  .superRefine((rule, context) => {
    for (const [path, message] of findRuleIssues(rule as FaultRule)) {
      context.addIssue({ code: 'custom', path: path.split('.'), message })
    }
  }) as unknown as z.ZodType<FaultRule>

/** The name of a preset. */
export const presetRequestSchema: z.ZodType<{ readonly preset: string }> = z.strictObject({
  preset: z.enum(presetNames),
})

/** A rule as it is listed. */
export const faultInfoSchema: z.ZodType<FaultInfo> = z.strictObject({
  id: z.string(),
  ...ruleFields,
  phase: ruleFields.phase.unwrap(),
  preset: z.string().nullable(),
  matched: z.int(),
  applied: z.int(),
  warning: z.string().nullable(),
}) as unknown as z.ZodType<FaultInfo>

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

type RuleIssue = readonly [path: string, message: string]

/** Finds the fields of a rule that cannot be combined. */
function findRuleIssues({ operation, method, path, phase, effect }: FaultRule): RuleIssue[] {
  const issues: RuleIssue[] = []
  if (operation !== undefined && (method ?? path) !== undefined) {
    const field = method === undefined ? 'path' : 'method'
    issues.push([field, 'expected an operation, or a method and a path, not both'])
  }
  const [main, ...others] = effectsOf(effect)
  if (main === undefined) {
    return [...issues, ['effect', `expected one of ${effectNames.join(', ')}`]]
  }
  for (const other of others) {
    if (other === 'delay_ms' || (main === 'cut_bytes' && other === 'slow_bytes_per_s')) continue
    issues.push([`effect.${other}`, `expected no ${other} beside ${main}`])
  }
  issues.push(...dependentFieldIssues(effect))
  const phases = phasesByEffect[main]
  if (phase !== undefined && !phases.includes(phase)) {
    issues.push(['phase', `expected ${phases.join(' or ')} for ${main}`])
  }
  return issues
}

function dependentFieldIssues(effect: FaultEffect): RuleIssue[] {
  const issues: RuleIssue[] = []
  for (const field of Object.keys(requiredEffects) as (keyof typeof requiredEffects)[]) {
    const required = requiredEffects[field]
    if (effect[field] !== undefined && effect[required] === undefined) {
      issues.push([`effect.${field}`, `expected ${field} only with ${required}`])
    }
  }
  if (effect.body !== undefined && [204, 205, 304].includes(effect.status ?? 0)) {
    issues.push(['effect.body', `expected no body with status ${effect.status}`])
  }
  return issues
}
