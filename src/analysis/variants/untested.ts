import type { SettingId } from '../../settings/setting.ts'
import type { ClientTrace } from './client-trace.ts'
import type { VariantOutcome } from './sweep.ts'

/** Marks what a sweep could not test: values of settings with which the client got the responses that it gets without them. */
export function markUntested(
  outcomes: readonly VariantOutcome[],
  { responses }: ClientTrace,
): VariantOutcome[] {
  return outcomes.map((one) =>
    hasChangedNothing(one, responses) ? { ...one, outcome: 'not_tested' } : one,
  )
}

/** Whether a client got the responses that it gets without a change, although a setting had another value. */
function hasChangedNothing(
  { variant, outcome, run }: VariantOutcome<Pick<ClientTrace, 'responses'>>,
  responses: ClientTrace['responses'],
): boolean {
  const isSetting = outcome === 'passed' && variant.settings !== undefined
  return isSetting && responses !== undefined && run.responses === responses
}

/** Says why a value of a setting could not matter, as in `the list has 6 rows`. */
export function whyUntested(
  id: SettingId,
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

const listsOfLimits: { readonly [Id in SettingId]?: string } = {
  'annotations.list.limit.default': 'listAnnotations',
  'plugins.list.limit.default': 'listPlugins',
  'projects.list.limit.default': 'listProjects',
}

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
