import {
  type EffectName,
  type FaultDelay,
  type FaultEffect,
  type FaultPhase,
  type Mutation,
  mutantKinds,
  mutationOf,
} from './rule.ts'

type Descriptions = { [Name in EffectName]: (value: NonNullable<FaultEffect[Name]>) => string }

const effectDescriptions: Omit<Descriptions, 'drop'> = {
  error: (name) => `the response is the error ${name}`,
  status: (status) => `the response is a ${status}`,
  stale: ({ writes }) => `the response shows the rows of ${countOf(writes, 'write')} ago`,
  mutate: (mutate) => describeMutation(mutationOf({ mutate }) as Mutation),
  cut_bytes: (bytes) => `the connection drops after ${countOf(bytes, 'byte')} of the body`,
  slow_bytes_per_s: (bytes) => `the body arrives at ${countOf(bytes, 'byte')} per second`,
  delay_ms: (delay) => `the response is delayed by ${describeDelay(delay)}`,
}

const dropDescriptions: Readonly<Record<FaultPhase, string>> = {
  before: 'the connection drops before the request is carried out',
  'after-commit': 'the connection drops after the request was carried out',
  'mid-body': 'the connection drops halfway through the body',
}

/**
 * Describes what a fault does to a response.
 *
 * @example describeEffect({ drop: true, delay_ms: 200 }) // 'the connection drops before the request is carried out, and the response is delayed by 200 ms'
 */
export function describeEffect(effect: FaultEffect, phase: FaultPhase = 'before'): string {
  const names = Object.keys(effectDescriptions) as (keyof typeof effectDescriptions)[]
  const isReplaced = effect.error !== undefined || effect.status !== undefined
  return [
    effect.drop && dropDescriptions[phase],
    ...names
      .filter((name) => effect[name] !== undefined)
      .map((name) => effectDescriptions[name](effect[name] as never)),
    phase === 'after-commit' && isReplaced && 'but the request was carried out',
  ]
    .filter(Boolean)
    .join(', and ')
    .replace(', and but', ', but')
}

/** @example describeMutation({ kind: 'null', field: 'created_by' }) // 'created_by is null' */
export function describeMutation({ kind, field }: Mutation): string {
  const [subject, predicate] = mutantKinds[kind]
  return `${field ?? subject} ${predicate}`
}

function describeDelay(delay: FaultDelay): string {
  if (typeof delay === 'number') return `${delay.toLocaleString('en')} ms`
  if ('min' in delay) return `${delay.min} to ${delay.max} ms`
  return `${delay.median} ms (median, 95th percentile ${delay.p95} ms)`
}

function countOf(count: number, singular: string): string {
  return `${count.toLocaleString('en')} ${singular}${count === 1 ? '' : 's'}`
}
