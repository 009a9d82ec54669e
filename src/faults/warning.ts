import { families } from '../endpoints.ts'
import type { PolicySettings } from '../policies/policies.ts'
import type { Tables } from '../world/tables.ts'
import { methodsOf } from './matching.ts'
import { noSuchKey, noSuchOperation, noSuchPath } from './no-match.ts'
import { fitsPath } from './paths.ts'
import type { FaultRule } from './rule.ts'
import { isRead } from './running-rule.ts'

/** What the answer to "can it ever apply?" depends on. */
interface Surroundings {
  readonly settings: PolicySettings
  readonly tables: Pick<Tables, 'keys'>
}

/** Why a rule can never apply as things are; null where it can. */
export function warningOf(rule: FaultRule, { settings, tables }: Surroundings): string | null {
  const { operation, path, key } = rule
  return (
    never(noSuchOperation(operation, settings)) ??
    aboutReads(rule) ??
    never(noSuchPath(path)) ??
    aboutMethodOfPath(rule) ??
    never(noSuchKey(key, tables.keys)) ??
    aboutWhen(rule) ??
    aboutMethod(rule)
  )
}

function aboutReads({ operation, effect }: FaultRule): string | null {
  const endpoint = families.flatMap(({ all }) => all).find(({ id }) => id === operation)
  if (!endpoint || !effect.stale || isRead(endpoint.method)) return null
  return never(`${operation} is no read, and only reads can be stale.`)
}

function aboutMethodOfPath({ path, method }: FaultRule): string | null {
  if (path === undefined || method === undefined) return null
  const fitting = families.filter(({ pattern }) => fitsPath(path, pattern.text, () => undefined))
  const has = fitting.flatMap(({ siblings }) => siblings.map((sibling) => sibling.method as string))
  const known = [...has, 'OPTIONS', ...(has.includes('GET') ? ['HEAD'] : [])]
  if (methodsOf(method).some((one) => known.includes(one))) return null
  return `It only matches requests that are refused: the methods of ${path} are ${has.join(', ')}.`
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

function never(reason: string | null): string | null {
  return reason && `It can never apply: ${reason}`
}
