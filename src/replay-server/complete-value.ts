import { isObject } from '../differences.ts'
import { diffWithMatchers } from '../scenarios/matchers.ts'
import { toSpecialValue } from '../scenarios/values.ts'
import type { CreatePlaceholder } from './make.ts'

/**
 * A value as it was recorded, and what the recording leaves open as it was simulated: fields that are not named,
 * and what matchers stand for. Recorded values win.
 *
 * @param isWhole whether it has no more fields than were recorded
 * @example completeValue({ id: { $match: 'id' }, content: 'Launch' }, { id: 9, content: 'Lunch', deleted: false }, false, make)
 * // { id: 9, content: 'Launch', deleted: false }
 */
export function completeValue(
  wanted: unknown,
  given: unknown,
  isWhole: boolean,
  make: CreatePlaceholder,
): unknown {
  const special = toSpecialValue(wanted)
  if (special?.keyword === '$literal') return special.value
  if (special) {
    if (diffWithMatchers(wanted, given, isWhole).length === 0) return given
    return special.keyword === '$match' ? make(String(special.value)) : given
  }
  if (Array.isArray(wanted)) {
    const items = Array.isArray(given) ? given : []
    return wanted.map((item, index) =>
      completeValue(item, itemFor(item, index, items, wanted.length), isWhole, make),
    )
  }
  return isObject(wanted) ? completeObject(wanted, given, isWhole, make) : wanted
}

function completeObject(
  wanted: Record<string, unknown>,
  given: unknown,
  isWhole: boolean,
  make: CreatePlaceholder,
): Record<string, unknown> {
  const base = isObject(given) ? given : {}
  const own = (name: string): unknown => (Object.hasOwn(base, name) ? base[name] : undefined)
  const recorded = Object.entries(wanted).map(([name, inner]): [string, unknown] => [
    name,
    completeValue(inner, own(name), isWhole, make),
  ])
  const all = isWhole ? recorded : [...Object.entries(base), ...recorded]
  const entries = new Map(all)
  return Object.fromEntries([...entries].filter(([, value]) => value !== undefined))
}

/** The simulated item for a recorded one: in its place, or where the lists are not of one length one that is as recorded. */
function itemFor(item: unknown, index: number, given: readonly unknown[], length: number): unknown {
  if (given.length === length) return given[index]
  return given.find((one) => diffWithMatchers(item, one, false).length === 0) ?? given[index]
}
