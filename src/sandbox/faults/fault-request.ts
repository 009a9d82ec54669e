import { describeIssues, suggestFields } from '../../utils/schema-issues.ts'
import { didYouMean, UsageError, unexpectedValue } from '../../utils/usage-error.ts'
import type { FaultRule } from './rule.ts'
import { effectNames, presetNames, presets, requiredEffects } from './rule.ts'
import { faultRuleSchema } from './rule-schema.ts'

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

/**
 * Parses the value of `--fault`: the name of a preset, or a rule as JSON.
 *
 * @throws UsageError for any other text
 * @example parseFault('flaky') // { preset: 'flaky' }
 */
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
