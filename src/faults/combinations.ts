import { effectNames, effectsOf, phasesByEffect } from './phases.ts'
import type { FaultEffect, FaultRule } from './rule.ts'

/** What is wrong with a rule whose fields are right one by one. */
export interface RuleIssue {
  readonly path: readonly string[]
  readonly expected: string
}

/** The combinations in a rule that make no sense, each with the field at fault. */
export function findRuleIssues(rule: FaultRule): RuleIssue[] {
  return [...targetIssues(rule), ...effectIssues(rule.effect), ...phaseIssues(rule)]
}

function targetIssues({ operation, method, path }: FaultRule): RuleIssue[] {
  if (operation === undefined) return []
  const expected = 'expected an operation, or a method and a path, not both'
  if (method !== undefined) return [{ path: ['method'], expected }]
  return path === undefined ? [] : [{ path: ['path'], expected }]
}

/** Which effect each of the smaller fields belongs to. */
const requiredEffects = {
  detail: 'error',
  retry_after_s: 'error',
  headers: 'status',
  body: 'status',
} as const

function effectIssues(effect: FaultEffect): RuleIssue[] {
  const [main, ...others] = effectsOf(effect)
  if (main === undefined) {
    return [{ path: ['effect'], expected: `expected one of ${effectNames.join(', ')}` }]
  }
  const misfits: RuleIssue[] = others
    .filter((other) => !isCompatible(main, other))
    .map((other) => ({ path: ['effect', other], expected: `expected no ${other} beside ${main}` }))
  for (const [field, owner] of Object.entries(requiredEffects) as [
    keyof typeof requiredEffects,
    string,
  ][]) {
    if (effect[field] !== undefined && effect[owner as 'error'] === undefined) {
      misfits.push({ path: ['effect', field], expected: `expected ${field} only with ${owner}` })
    }
  }
  if (effect.body !== undefined && [204, 205, 304].includes(effect.status ?? 0)) {
    const expected = `expected no body with status ${effect.status}`
    misfits.push({ path: ['effect', 'body'], expected })
  }
  return misfits
}

function isCompatible(main: string, other: string): boolean {
  return other === 'delay_ms' || (main === 'cut_bytes' && other === 'slow_bytes_per_s')
}

function phaseIssues({ phase, effect }: FaultRule): RuleIssue[] {
  const [main] = effectsOf(effect)
  if (main === undefined || phase === undefined || phasesByEffect[main].includes(phase)) return []
  return [
    { path: ['phase'], expected: `expected ${phasesByEffect[main].join(' or ')} for ${main}` },
  ]
}
