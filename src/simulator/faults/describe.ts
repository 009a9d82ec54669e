import { failureFormats } from '../../http/failures.ts'
import { formatCount } from '../../utils/count.ts'
import { describePattern } from '../request-pattern.ts'
import {
  defaultPhase,
  type EffectName,
  effectNames,
  type FaultDelay,
  type FaultEffect,
  type FaultInfo,
  type FaultPhase,
  type FaultRule,
  isReplacing,
  type ResponseVariant,
  type VariantKind,
  variantOf,
} from './fault.ts'

/** What each kind of variant changes, and how. */
export const variantKinds: Readonly<
  Record<VariantKind, readonly [subject: string, verb: string, rest: string]>
> = {
  null: ['every field that can be null', 'is', 'null'],
  new_value: ['every field whose values are not documented', 'has', 'a new value'],
  extra_field: ['every row', 'has', 'one more field'],
  empty_text: ['every free text', 'is', 'empty'],
  long_text: ['every free text', 'is', 'very long'],
  seconds: ['every time', 'has', 'whole seconds'],
  empty_page: ['the page', 'is', 'empty although its next leads to the rows'],
  row_order: ['the page', 'has', 'its rows in reverse order'],
}

/** @example describeVariant({ kind: 'null', field: 'created_by' }) // 'created_by is null' */
export function describeVariant(
  { kind, field }: ResponseVariant,
  adverb: 'never ' | '' = '',
): string {
  const [subject, verb, rest] = variantKinds[kind]
  const said = verb === 'is' ? `is ${adverb}` : `${adverb}${verb} `
  return `${field ?? subject} ${said}${rest}`
}

/**
 * Describes to which requests a fault applies, and what it does to them.
 *
 * @example describeFault({ when: { times: 1 }, effect: { drop: true } }) // 'The first request: the connection drops before the request is carried out'
 */
export function describeFault(rule: FaultRule): string {
  return `${describeRequests(rule)}: ${describeEffect(rule.effect, rule.phase)}`
}

function describeRequests({ operation, method, path, key, when = {} }: FaultRule): string {
  const { skip = 0, every, probability = 1, times } = when
  const kind = operation ?? (method === undefined ? '' : [method].flat().join(', '))
  const target = [path && ` to ${path}`, key && ` with the key ${key}`].filter(Boolean).join('')
  const named = (noun: string) => `${kind} ${noun}`.trim() + target
  const after = skip > 0 ? ` after the first ${skip === 1 ? 'one' : skip}` : ''
  const share = describeShare(every, probability)
  if (share === '' && times !== undefined && skip === 0) {
    return times === 1 ? `The first ${named('request')}` : `The first ${times} ${named('requests')}`
  }
  const most = times === undefined ? '' : `, at most ${formatCount(times, 'time')}`
  const requests = share === '' ? `Every ${named('request')}` : `${share} ${named('requests')}`
  return requests + after + most
}

/** @returns an empty text for all requests */
function describeShare(every = 1, probability: number): string {
  const percent = `${Number((probability * 100).toFixed(1))}% of`
  if (probability === 1) return every === 1 ? '' : `1 in ${every}`
  if (every > 1) return `${percent} 1 in ${every}`
  return probability > 0 && probability <= 0.5 ? `1 in ${Math.round(1 / probability)}` : percent
}

/**
 * Describes what a fault does to a response.
 *
 * @param names the effects to describe. By default all of them
 * @example describeEffect({ drop: true, delay_ms: 200 }) // 'the connection drops before the request is carried out, and the response is delayed by 200 ms'
 */
export function describeEffect(
  effect: FaultEffect,
  phase: FaultPhase = defaultPhase(effect),
  names: readonly EffectName[] = effectNames.filter((name) => effect[name] !== undefined),
): string {
  const { error, status, cut_bytes = 0, delay_ms = 0 } = effect
  const isBefore = phase === 'before'
  const isAnswered = isBefore && !names.some((name) => isReplacing(name) || name === 'drop')
  const sentences: { readonly [Name in EffectName]: () => string } = {
    drop: () =>
      isBefore
        ? 'the connection drops before the request is carried out'
        : 'the connection drops after the server handled the request',
    error: () =>
      `the response is a ${error && failureFormats[error].status} (${error?.replaceAll('_', ' ')})`,
    status: () => `the response is a ${status}`,
    variant: () => describeVariant(variantOf(effect) as ResponseVariant),
    cut_bytes: () => `the connection drops after ${formatCount(cut_bytes, 'byte')} of the body`,
    edit: () => 'another client changes rows after the request',
    hold: () => `the ${isBefore ? 'request' : 'response'} waits until the fault is removed`,
    delay_ms: () =>
      isAnswered
        ? `the request waits ${describeDelay(delay_ms)} before it is carried out`
        : `the response is delayed by ${describeDelay(delay_ms)}`,
  }
  const described = (Object.keys(sentences) as EffectName[]).filter((name) => names.includes(name))
  const sentence = described.map((name) => sentences[name]()).join(', and ')
  const isCarriedOut = !isBefore && names.some(isReplacing)
  return isCarriedOut ? `${sentence}, but the server handled the request` : sentence
}

function describeDelay(delay: FaultDelay): string {
  if (typeof delay === 'number') return `${delay.toLocaleString('en')} ms`
  return `${delay.min} to ${delay.max} ms`
}

/**
 * Says which faults never applied, a sentence for each rule or preset: it is misspelt, or the client did not send what the
 * fault is about.
 *
 * @param faults as `simulator.faults.totals()` returns them
 */
export function describeUnapplied(faults: readonly FaultInfo[]): string[] {
  const groups = new Map<string, FaultInfo[]>()
  for (const fault of faults.toReversed()) {
    const name = fault.preset ?? `${fault.id} (${describePattern(fault)})`
    groups.set(name, [...(groups.get(name) ?? []), fault])
  }
  return [...groups].flatMap(([name, rules]) =>
    rules.every(({ applied }) => applied === 0)
      ? [`The fault ${name} never applied: ${whyUnapplied(rules)}.`]
      : [],
  )
}

function whyUnapplied(rules: readonly FaultInfo[]): string {
  const matched = Math.max(...rules.map((rule) => rule.matched))
  if (matched === 0) return 'no request matched it'
  const requests = formatCount(matched, 'request')
  if (rules.some(({ when }) => (when?.probability ?? 1) < 1)) {
    return `chance selected none of ${requests}, and another seed selects others`
  }
  return rules.some(({ when }) => when)
    ? `its \`when\` selected none of ${requests}`
    : `a fault that was added later applied to each of ${requests}`
}
