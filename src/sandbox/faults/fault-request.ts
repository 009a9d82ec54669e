import { didYouMean } from '../../utils/did-you-mean.ts'
import { describeIssues, suggestFields } from '../../utils/schema-issues.ts'
import { UsageError, unexpectedValue } from '../../utils/usage-error.ts'
import { presetNames, presets } from './presets.ts'
import type { FaultRule } from './rule.ts'
import { effectNames } from './rule.ts'
import { faultRuleSchema } from './rule-schema.ts'

/** What can be asked for: a rule, or the rules of a preset. */
export type FaultRequest = FaultRule | { readonly preset: string }

/** A rule, and the preset that it came with. */
export interface PresetRule {
  readonly rule: FaultRule
  readonly preset: string | null
}

const task = 'add a fault'

/** The rules that are asked for, as copies. @throws UsageError with every mistake in them, and the field of the first */
export function parseFaultRequest(request: FaultRequest): PresetRule[] {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    throw unexpectedValue(task, 'a rule, or the name of a preset as { preset }', request)
  }
  return 'preset' in request ? presetRules(request) : [{ rule: parseRule(request), preset: null }]
}

/**
 * What `--fault` takes: the name of a preset, or a rule as JSON.
 *
 * @throws UsageError for what is neither
 * @example parseFault('flaky') // { preset: 'flaky' }
 */
export function parseFault(text: string): FaultRequest {
  if (presetNames.includes(text)) return { preset: text }
  const expected = `a preset (${presetNames.join(', ')}) or a rule as JSON`
  const meant = text.startsWith('{') ? undefined : didYouMean(text, presetNames)
  let request: FaultRequest
  try {
    request = JSON.parse(text)
  } catch {
    throw unexpectedValue('read a fault', expected, text, meant, 'fault')
  }
  parseFaultRequest(request)
  return request
}

function presetRules({ preset: name, ...rest }: { readonly preset: string }): PresetRule[] {
  const [other] = Object.keys(rest)
  if (other !== undefined) {
    throw unexpectedValue(task, 'nothing beside preset', other, undefined, other)
  }
  const preset = Object.hasOwn(presets, name) ? presets[name] : undefined
  if (preset) return preset.rules.map((rule) => ({ rule, preset: name }))
  const expected = `the preset ${presetNames.join(', ')}`
  throw unexpectedValue(task, expected, name, didYouMean(String(name), presetNames), 'preset')
}

function parseRule(request: FaultRule): FaultRule {
  rejectUnknownEffect(request.effect)
  const parsed = faultRuleSchema.safeParse(request, suggestFields)
  if (parsed.success) return structuredClone(parsed.data)
  const faults = describeIssues(parsed.error, request, 'rule')
  throw new UsageError('Failed to add a fault. Nothing was changed.', faults)
}

const effectFields = [...effectNames, 'detail', 'retry_after_s', 'headers', 'body']

/** The likeliest mistake, told with all that there is. */
function rejectUnknownEffect(effect: unknown): void {
  if (typeof effect !== 'object' || effect === null) return
  const unknown = Object.keys(effect).find((name) => !effectFields.includes(name))
  if (unknown === undefined) return
  const meant = didYouMean(unknown, effectFields)
  throw unexpectedValue(
    task,
    `an effect of ${effectNames.join(', ')}`,
    unknown,
    meant,
    `effect.${unknown}`,
  )
}
