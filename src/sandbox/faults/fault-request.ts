import * as z from 'zod'
import { issuesError } from '../../utils/issues.ts'
import { describeIssues, suggestFields } from '../../utils/schema-issues.ts'
import { didYouMean, unexpectedValue } from '../../utils/usage-error.ts'
import { findPatternIssue, requestPatternFields } from '../request-pattern.ts'
import { effectFields, effectSchema, findEffectIssues } from './effects.ts'
import { findVariantIssue } from './response-variants.ts'
import { effectNames, type FaultRule, type FaultWhen, presetNames, presets } from './rule.ts'
import { isVariantName, variantRules } from './variant-name.ts'

/** A rule, or the name of a preset or a variant, such as `variant:annotation.content=null`. */
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

/**
 * Parses the value of `--fault`: the name of a preset or of a variant, or a rule as JSON.
 *
 * @throws UsageError for any other text
 */
export function parseFault(text: string): FaultRequest {
  if (presetNames.includes(text)) return { preset: text }
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

function presetRules({ preset: name, ...rest }: { readonly preset: string }): PresetRule[] {
  const [otherField] = Object.keys(rest)
  if (otherField !== undefined) {
    throw unexpectedValue(task, 'no field beside preset', otherField, undefined, otherField)
  }
  if (isVariantName(name)) return variantRules(name).map((rule) => ({ rule, preset: name }))
  const preset = Object.hasOwn(presets, name) ? presets[name] : undefined
  if (preset) return preset.rules.map((rule) => ({ rule, preset: name }))
  const expected = `one of the presets ${presetNames.join(', ')}`
  throw unexpectedValue(task, expected, name, didYouMean(String(name), presetNames), 'preset')
}

function parseRule(request: FaultRule): FaultRule {
  rejectUnknownEffect(request.effect)
  const parsed = faultRuleSchema.safeParse(request, suggestFields)
  if (parsed.success) return structuredClone(parsed.data) as FaultRule
  const issues = describeIssues(parsed.error, request, 'rule')
  throw issuesError('Failed to add a fault. Nothing was changed.', issues)
}

/** Reports a misspelt effect, the likeliest mistake, with all effects. */
function rejectUnknownEffect(effect: unknown): void {
  if (typeof effect !== 'object' || effect === null) return
  const allowed: readonly string[] = effectFields
  const unknown = Object.keys(effect).find((name) => !allowed.includes(name))
  if (unknown === undefined) return
  const expected = `an effect of ${effectNames.join(', ')}`
  const suggestion = didYouMean(unknown, allowed)
  throw unexpectedValue(task, expected, unknown, suggestion, `effect.${unknown}`)
}

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
  effect: effectSchema,
} satisfies Record<keyof FaultRule, z.ZodType>

/** A fault rule: each field, and the combinations of fields. */
export const faultRuleSchema = z.strictObject(ruleFields).superRefine((rule, context) => {
  const { phase, effect } = rule as FaultRule
  const [patternIssue, variantIssue] = [
    findPatternIssue(rule as FaultRule),
    findVariantIssue(rule as FaultRule),
  ]
  const issues = [
    ...(patternIssue ? [patternIssue] : []),
    ...findEffectIssues(effect, phase),
    ...(variantIssue ? [variantIssue] : []),
  ]
  for (const [field, message, meant] of issues) {
    context.addIssue({ code: 'custom', path: field.split('.'), message, params: { meant } })
  }
})

/** The name of a preset, or of a variant. */
export const presetRequestSchema = z.strictObject({
  preset: z.string().refine((name) => presetNames.includes(name) || isVariantName(name), {
    error: `expected one of ${presetNames.join(', ')}, or variant:FIELD=KIND`,
  }),
})
