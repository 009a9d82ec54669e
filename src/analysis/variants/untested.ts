import type { PolicyId } from '../../policies/policies.ts'
import { mutantName } from '../../sandbox/faults/mutant-name.ts'
import type { ClientTrace } from './client-trace.ts'
import { readMutantId } from './mutants.ts'
import { runVariants, type SweepClient, type VariantOutcome } from './sweep.ts'
import type { Variant } from './variant.ts'

/**
 * Marks what a sweep could not test: values of policies with which the client got the responses that it gets without a
 * change, and mutants of values that the client itself names. It names them if it fails with any other value, too.
 */
export async function markUntested(
  outcomes: readonly VariantOutcome[],
  { responses }: ClientTrace,
  client: SweepClient,
): Promise<VariantOutcome[]> {
  const others = new Map<string, Variant>()
  for (const { variant, outcome } of outcomes) {
    const target = outcome === 'failed' ? replacedValue(variant.id) : undefined
    if (target !== undefined) others.set(target, otherValueVariant(target))
  }
  const tried = await runVariants([...others.values()], client)
  const isNamed = ({ id }: Variant): boolean => {
    const other = others.get(replacedValue(id) ?? '')
    return tried.some(({ variant, outcome }) => variant === other && outcome === 'failed')
  }
  return outcomes.map((one) => {
    const isOwnValue = one.outcome === 'failed' && isNamed(one.variant)
    return hasChangedNothing(one, responses) || isOwnValue ? { ...one, outcome: 'not_tested' } : one
  })
}

/** Whether a client got the responses that it gets without a change, although a policy had another value. */
export function hasChangedNothing(
  { variant, outcome, run }: VariantOutcome<Pick<ClientTrace, 'responses'>>,
  responses: ClientTrace['responses'],
): boolean {
  const isPolicy = outcome === 'passed' && variant.policies !== undefined
  return isPolicy && responses !== undefined && run.responses === responses
}

/** The field whose values a mutant replaces. Undefined for other variants. */
function replacedValue(id: string): string | undefined {
  const { target, mutation } = readMutantId(id) ?? {}
  if (mutation?.kind === 'large_id') return `${target}.id`
  const isReplaced = mutation !== undefined && !formalKinds.includes(mutation.kind)
  return isReplaced && mutation.field !== undefined ? `${target}.${mutation.field}` : undefined
}

/** The kinds that change no value, or write it in another way. */
const formalKinds: readonly string[] = ['extra_field', 'offset']

function otherValueVariant(target: string): Variant {
  return {
    id: `${target}=other_value`,
    sentence: `${target} has another value.`,
    evidence: 'assumed',
    source: 'the documentation does not show this value',
    faults: [{ preset: mutantName(target, { kind: 'other_value' }) }],
  }
}

/** Says which values the client names, so that mutants of them show nothing. */
export function namedValueNotes(outcomes: readonly VariantOutcome[]): string[] {
  const named = outcomes
    .filter(({ outcome }) => outcome === 'not_tested')
    .map(({ variant }) => replacedValue(variant.id))
  return [...new Set(named.filter((target) => target !== undefined))].map(
    (target) =>
      `Not tested: changes of ${target}. The client names its values: it fails with any other one, too.`,
  )
}

/** Says why a value of a policy could not matter, as in `the list has 6 rows`. */
export function whyUntested(
  id: PolicyId,
  { sizes, requests }: Pick<ClientTrace, 'sizes' | 'requests'>,
): string {
  const lists = sizes?.lists ?? {}
  const list = listsOfLimits[id]
  if (list) return `the list has ${count(lists[list]?.rows ?? 0, 'row')}`
  if (id === 'lists.limit.maximum') {
    const limit = Math.max(0, ...Object.values(lists).map((one) => one.limit))
    return limit === 0 ? 'no limit was asked for' : `the largest limit was ${limit}`
  }
  if (id === 'limits.body') return `the longest body has ${count(sizes?.body ?? 0, 'byte')}`
  return id === 'limits.rate' ? `the run sent ${count(requests, 'request')}` : 'no response differs'
}

const listsOfLimits: { readonly [Id in PolicyId]?: string } = {
  'annotations.list.limit.default': 'listAnnotations',
  'plugins.list.limit.default': 'listPlugins',
  'projects.list.limit.default': 'listProjects',
}

/**
 * Lets a low maximum of limits show itself although lists are short: where a client asks for more rows than the maximum,
 * which are more than there are, its limit counts as 2.
 */
export function withShortPages(variants: readonly Variant[], { sizes }: ClientTrace): Variant[] {
  return variants.map((variant) => {
    const maximum = Number(variant.policies?.['lists.limit.maximum'])
    const short = Object.entries(sizes?.lists ?? {}).filter(
      ([, { rows, limit }]) => limit > maximum && rows <= maximum,
    )
    if (short.length === 0) return variant
    const rows = Math.max(...short.map(([, list]) => list.rows))
    return {
      ...variant,
      sentence: `${variant.sentence} Here it counts as 2, because the list has ${count(rows, 'row')}.`,
      faults: short.map(([operation]) => ({
        preset: mutantName(operation, { kind: 'short_page' }),
      })),
    }
  })
}

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
