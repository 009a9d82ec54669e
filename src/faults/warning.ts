import { families } from '../endpoints.ts'
import { isEnabled } from '../http/methods.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { nearest } from '../usage-error.ts'
import type { Tables } from '../world/tables.ts'
import { fitsPath } from './paths.ts'
import type { FaultRule } from './rule.ts'
import { isRead, methodsOf } from './running-rule.ts'

/** What the answer to "can it ever apply?" depends on. */
interface Surroundings {
  readonly settings: PolicySettings
  readonly tables: Pick<Tables, 'keys'>
}

/** Why a rule can never apply as things are; null where it can. */
export function warningOf(rule: FaultRule, { settings, tables }: Surroundings): string | null {
  return (
    aboutOperation(rule, settings) ??
    aboutPath(rule) ??
    aboutKey(rule, tables.keys) ??
    aboutWhen(rule) ??
    aboutMethod(rule)
  )
}

function aboutOperation({ operation, effect }: FaultRule, settings: PolicySettings): string | null {
  if (operation === undefined) return null
  const endpoints = families.flatMap(({ all }) => all)
  const endpoint = endpoints.find(({ id }) => id === operation)
  if (!endpoint) {
    const described = families.flatMap(({ siblings }) => siblings.map(({ id }) => id))
    return never(`there is no operation ${operation}.${hint(nearest(operation, described))}`)
  }
  if (!isEnabled(endpoint, settings)) return never(`the policies switch ${operation} off.`)
  if (!effect.stale || isRead(endpoint.method)) return null
  return never(`${operation} is no read, and only reads can be stale.`)
}

function aboutPath({ path, method }: FaultRule): string | null {
  if (path === undefined) return null
  const fitting = families.filter(({ pattern }) => fitsPath(path, pattern.text, () => undefined))
  if (fitting.length === 0) {
    const all = families.map(({ pattern }) => pattern.text)
    return never(`no endpoint has the path ${path}.${hint(nearest(path, all))}`)
  }
  if (method === undefined) return null
  const has = fitting.flatMap(({ siblings }) => siblings.map((sibling) => sibling.method as string))
  const known = [...has, 'OPTIONS', ...(has.includes('GET') ? ['HEAD'] : [])]
  if (methodsOf(method).some((one) => known.includes(one))) return null
  return `It only matches requests that are refused: the methods of ${path} are ${has.join(', ')}.`
}

function aboutKey({ key }: FaultRule, keys: Tables['keys']): string | null {
  if (key === undefined || keys.get(key) !== undefined) return null
  const labels = [...keys.values()].flatMap(({ label }) => (label === null ? [] : [label]))
  if (labels.includes(key)) return null
  return never(`no key has this value or label.${hint(nearest(key, labels))}`)
}

function aboutWhen({ when }: FaultRule): string | null {
  if (when?.times === 0) return never('when.times is 0.')
  return when?.probability === 0 ? never('when.probability is 0.') : null
}

function aboutMethod({ method, phase, effect }: FaultRule): string | null {
  const methods = method === undefined ? [] : methodsOf(method)
  if (methods.length === 0) return null
  if (effect.stale && !methods.some(isRead)) return never('only reads can be stale.')
  if (phase !== 'mid-body' || methods.some((one) => one !== 'HEAD')) return null
  return never('answers to HEAD have no body.')
}

function never(reason: string): string {
  return `It can never apply: ${reason}`
}

function hint(meant: string | undefined): string {
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}
