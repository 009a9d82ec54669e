import * as z from 'zod'
import { bodilessStatuses } from '../../http/messages.ts'
import { didYouMean, unexpectedValue } from '../../utils/errors.ts'
import { parseOptions } from '../../utils/schema-issues.ts'
import { requestPatternFields } from '../request-pattern.ts'
import { effects } from './effects.ts'
import {
  effectNames,
  effectTraits,
  type FaultEffect,
  type FaultPhase,
  type FaultRule,
  type FaultWhen,
  maxFaultSeconds,
} from './fault.ts'
import { type PresetName, presetNames, presets } from './presets.ts'

/** A rule, or the name of a preset. */
export type FaultRequest = FaultRule | { readonly preset: PresetName }

export interface PresetRule {
  readonly rule: FaultRule
  readonly preset: string | null
}

const task = 'add a fault'

/** The requested rules. @throws UsageError with up to 100 issues, and the field of the first one */
export function parseFaultRequest(request: FaultRequest): PresetRule[] {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    throw unexpectedValue(task, 'a rule or a preset as { preset: name }', request)
  }
  if (!('preset' in request)) {
    return [{ rule: parseOptions(requestSchema, request, task) as FaultRule, preset: null }]
  }
  const { preset } = parseOptions(presetRequestSchema, request, task)
  return presets[preset].rules.map((rule) => ({ rule, preset }))
}

/** Parses the value of `--fault`: the name of a preset, or a rule as JSON. @throws UsageError for any other text */
export function parseFault(text: string): FaultRequest {
  const preset = presetNames.find((name) => name === text)
  if (preset !== undefined) return { preset }
  let request: FaultRequest
  try {
    request = JSON.parse(text)
  } catch {
    const expected = `a preset (${presetNames.join(', ')}), or a rule as JSON`
    const suggestion = text.startsWith('{') ? undefined : didYouMean(text, presetNames)
    throw unexpectedValue('read a fault', expected, text, suggestion, 'fault')
  }
  parseFaultRequest(request)
  return request
}

const someEffect = `expected one of ${effectNames.join(', ')}`

const effectFields = effectNames.flatMap((name) => {
  const { schema, options = {} } = effects[name]
  return Object.entries({ [name]: schema, ...options })
})
const effectSchema = z
  .strictObject(Object.fromEntries(effectFields), {
    error: ({ code }) =>
      code === 'invalid_type' ? `${someEffect}, such as {"error": "throttled"}` : undefined,
  })
  .partial() as z.ZodType as z.ZodType<FaultEffect>

const whenSchema = z.strictObject({
  skip: z.int().min(0).optional(),
  every: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
  times: z.int().min(0).optional(),
  for_s: z.number().min(0).max(maxFaultSeconds).optional(),
} satisfies Record<keyof FaultWhen, z.ZodType>)

const ruleFields = {
  ...requestPatternFields,
  when: whenSchema.optional(),
  phase: z.enum(['before', 'after-commit']).optional(),
  effect: effectSchema,
} satisfies Record<keyof FaultRule, z.ZodType>

export const faultRuleSchema = z.strictObject(ruleFields).superRefine((parsed, context) => {
  const rule = parsed as FaultRule
  // A misspelt effect is an issue already.
  if (context.issues.some(({ path }) => path?.[0] === 'effect')) return
  const issues = [...findPatternIssues(rule), ...findEffectIssues(rule.effect, rule.phase)]
  for (const [field, message] of issues) {
    context.addIssue({ code: 'custom', path: field.split('.'), message })
  }
})

/** Suggests `preset` for a misspelt one. */
const requestSchema = faultRuleSchema.safeExtend({ preset: z.never().optional() })

export const presetRequestSchema = z.strictObject({ preset: z.enum(presetNames) })

type RuleIssue = readonly [path: string, message: string]

/** Finds fields that exclude each other: an operation has a method and a path. */
function findPatternIssues({ operation, method, path }: FaultRule): RuleIssue[] {
  if (operation === undefined || (method ?? path) === undefined) return []
  const field = method === undefined ? 'path' : 'method'
  return [[field, 'expected an operation, or a method and a path, not both']]
}

/** Finds the effects, options and phases that cannot be combined. */
function findEffectIssues(effect: FaultEffect, phase?: FaultPhase): RuleIssue[] {
  const [main, ...others] = effectNames.filter((name) => effect[name] !== undefined)
  if (main === undefined) return [['effect', someEffect]]
  const issues: RuleIssue[] = others
    .filter((name) => effectTraits[name].kind !== 'delays')
    .map((name) => [`effect.${name}`, `expected no ${name} beside ${main}`])
  for (const [option, value] of Object.entries(effect)) {
    if (value === undefined || Object.hasOwn(effects, option)) continue
    const names = effectNames.filter((name) => Object.hasOwn(effects[name].options ?? {}, option))
    if (names.some((name) => effect[name] !== undefined)) continue
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
