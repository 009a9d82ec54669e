import * as z from 'zod'
import { type FailureName, failureFormats } from '../../http/failures.ts'
import { didYouMean, parseOptions, unexpectedValue } from '../../utils/errors.ts'
import { type RowEdit, rowEditSchemas } from '../../world/edit/edit-rows.ts'
import { jsonValueSchema } from '../../world/schema/field-schemas.ts'
import { findPatternIssue, requestPatternFields } from '../request-pattern.ts'
import { bodilessStatuses } from './apply.ts'
import {
  type EffectName,
  type EffectOption,
  effectNames,
  effectTraits,
  type FaultEffect,
  type FaultPhase,
  type FaultRule,
  type FaultWhen,
  type VariantKind,
  variantKinds,
} from './fault.ts'
import { type PresetName, presetNames, presets } from './presets.ts'
import { findVariantIssue, isVariantName, variantRules } from './variants.ts'

/** A rule, or the name of a preset or of a variant of responses, such as `variant:annotation.content=null`. */
export type FaultRequest = FaultRule | { readonly preset: PresetName | `variant:${string}` }

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

/**
 * Parses the value of `--fault`: the name of a preset or of a variant, or a rule as JSON.
 *
 * @throws UsageError for any other text
 */
export function parseFault(text: string): FaultRequest {
  if (isPresetName(text)) return { preset: text }
  if (isVariantName(text)) {
    variantRules(text)
    return { preset: text }
  }
  let request: FaultRequest
  try {
    request = JSON.parse(text)
  } catch {
    const expected = `a preset (${presetNames.join(', ')}), a variant as variant:FIELD=KIND, or a rule as JSON`
    const suggestion = text.startsWith('{') ? undefined : didYouMean(text, presetNames)
    throw unexpectedValue('read a fault', expected, text, suggestion, 'fault')
  }
  parseFaultRequest(request)
  return request
}

function isPresetName(name: string): name is PresetName {
  return Object.hasOwn(presets, name)
}

function presetRules({ preset: name, ...rest }: { readonly preset: string }): PresetRule[] {
  const [otherField] = Object.keys(rest)
  if (otherField !== undefined) {
    throw unexpectedValue(task, 'no field beside preset', otherField, undefined, otherField)
  }
  if (isVariantName(name)) return variantRules(name).map((rule) => ({ rule, preset: name }))
  if (isPresetName(name)) return presets[name].rules.map((rule) => ({ rule, preset: name }))
  const expected = `one of the presets ${presetNames.join(', ')}`
  throw unexpectedValue(task, expected, name, didYouMean(String(name), presetNames), 'preset')
}

function parseRule(request: FaultRule): FaultRule {
  return structuredClone(parseOptions(faultRuleSchema, request, task)) as FaultRule
}

/** A day. Timers cannot wait longer than 24 days. */
const milliseconds = z.number().min(0).max(86_400_000)

/** The longest time that a request is held, in milliseconds. */
const maxHold = 600_000

const delaySchema = z.union(
  [
    milliseconds,
    z.strictObject({ min: milliseconds, max: milliseconds }).refine(({ min, max }) => max >= min, {
      path: ['max'],
      error: 'expected at least min',
    }),
  ],
  { error: 'expected milliseconds, or { min, max }' },
)

/** The transport sets these headers, which describe the length and the end of the body. */
const transportHeaders = ['content-length', 'transfer-encoding', 'trailer']

const headersSchema = z.record(z.string(), z.string()).refine(areValidHeaders, {
  error: `expected valid HTTP headers other than ${transportHeaders.join(', ')}`,
})

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

const kindNames = Object.keys(variantKinds) as readonly VariantKind[]

const variantSchema = z.union(
  [
    z.enum(kindNames),
    z.strictObject({ kind: z.enum(kindNames), field: z.string().min(1).exactOptional() }),
  ],
  { error: `expected one of ${kindNames.join(', ')}, or { kind, field }` },
)

const editSchema = z.lazy(() => {
  const { rows, update, delete: deleted } = rowEditSchemas()
  return z
    .strictObject({
      rows: rows.exactOptional(),
      update: update.exactOptional(),
      delete: deleted.exactOptional(),
    })
    .refine((edit) => Object.keys(edit).length === 1, {
      error: 'expected one of rows, update and delete',
    }) as z.ZodType as z.ZodType<RowEdit>
})

const failureNames = Object.keys(failureFormats) as FailureName[]

/** Each effect, followed by its options. */
const effectFields = {
  error: z.enum(failureNames).optional(),
  detail: z.string().optional(),
  retry_after_s: z.int().min(0).optional(),
  status: z.int().min(200).max(599).optional(),
  headers: headersSchema.optional(),
  body: jsonValueSchema.optional(),
  drop: z.literal(true).optional(),
  variant: variantSchema.optional(),
  edit: z.array(editSchema).min(1).optional(),
  cut_bytes: z.int().min(0).optional(),
  hold: z.literal(true).optional(),
  timeout_ms: z.int().min(1).max(maxHold).optional(),
  delay_ms: delaySchema.optional(),
} satisfies Record<keyof FaultEffect, z.ZodType>

const whenSchema = z.strictObject({
  skip: z.int().min(0).optional(),
  every: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
  times: z.int().min(0).optional(),
} satisfies Record<keyof FaultWhen, z.ZodType>)

const ruleFields = {
  ...requestPatternFields,
  when: whenSchema.optional(),
  phase: z.enum(['before', 'after-commit']).optional(),
  effect: z.strictObject(effectFields) as z.ZodType<FaultEffect>,
} satisfies Record<keyof FaultRule, z.ZodType>

/** A fault rule: each field, and the combinations of fields. */
export const faultRuleSchema = z.strictObject(ruleFields).superRefine((parsed, context) => {
  const rule = parsed as FaultRule
  // A misspelt effect is an issue already.
  if (context.issues.some(({ path }) => path?.[0] === 'effect')) return
  const issues = [
    findPatternIssue(rule),
    ...findEffectIssues(rule.effect, rule.phase),
    findVariantIssue(rule),
  ]
  for (const [field, message, meant] of issues.filter((issue) => issue !== null)) {
    context.addIssue({ code: 'custom', path: field.split('.'), message, params: { meant } })
  }
})

/** The name of a preset, or of a variant. */
export const presetRequestSchema = z.strictObject({
  preset: z.string().refine((name) => isPresetName(name) || isVariantName(name), {
    error: `expected one of ${presetNames.join(', ')}, or variant:FIELD=KIND`,
  }),
})

/** The effects that each option is valid beside. */
const effectsOfOptions: Readonly<Record<EffectOption, readonly EffectName[]>> = {
  detail: ['error'],
  retry_after_s: ['error'],
  headers: ['error', 'status'],
  body: ['status'],
  timeout_ms: ['hold'],
}

/** A wrong field of a rule. */
type RuleIssue = readonly [path: string, message: string, meant?: string | undefined]

/** Finds the effects, options and phases that cannot be combined. */
function findEffectIssues(effect: FaultEffect, phase?: FaultPhase): RuleIssue[] {
  const [main, ...others] = effectNames.filter((name) => effect[name] !== undefined)
  if (main === undefined) return [['effect', `expected one of ${effectNames.join(', ')}`]]
  const issues: RuleIssue[] = others
    .filter((name) => effectTraits[name].kind !== 'delays')
    .map((name) => [`effect.${name}`, `expected no ${name} beside ${main}`])
  for (const [option, names] of Object.entries(effectsOfOptions)) {
    const isUsed = effect[option as EffectOption] !== undefined
    if (!isUsed || names.some((name) => effect[name] !== undefined)) continue
    issues.push([`effect.${option}`, `expected ${option} only with ${names.join(' or ')}`])
  }
  if (effect.body !== undefined && bodilessStatuses.includes(effect.status ?? 0)) {
    issues.push(['effect.body', `expected no body with status ${effect.status}`])
  }
  const { phases } = effectTraits[main]
  if (phase !== undefined && !phases.includes(phase)) {
    issues.push(['phase', `expected ${phases.join(' or ')} for ${main}`])
  }
  return issues
}
