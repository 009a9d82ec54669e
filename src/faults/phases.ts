import type { FaultEffect, FaultPhase } from './rule.ts'

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
