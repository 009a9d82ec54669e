import { endpoints, families } from '../endpoints.ts'
import { keyOf } from '../http/access.ts'
import type { Call } from '../http/call.ts'
import { isEnabled } from '../http/methods.ts'
import { toBase, toPath, toPattern } from '../http/path.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { nearest } from '../usage-error.ts'
import type { Tables } from '../world/tables.ts'
import type { Moment } from './request.ts'

/** A request that has been carried out. */
export interface Asked {
  readonly operation: string
  /** Without the base and the sandbox: `/api/projects/1/annotations`. */
  readonly path: string
  readonly call: Call
}

/** Says which requests a moment counts. */
export function toMatcher({ operation, method, path, key }: Moment): (asked: Asked) => boolean {
  const pattern =
    path === undefined ? null : toPath(toPattern(path.replace(/\/$/, '')), toBase('*'))
  return (asked) =>
    (operation === undefined || asked.operation === operation) &&
    (method === undefined || asked.call.method === method.toUpperCase()) &&
    (pattern === null || pattern.match(asked.path) !== null) &&
    (key === undefined || keyOf(asked.call) === key)
}

/** The path of an endpoint with the values it was asked with. */
export function pathOf(pattern: string, params: Readonly<Record<string, string>>): string {
  return pattern.replace(/:(\w+)/g, (name, parameter: string) => params[parameter] ?? name)
}

/** What of the world a moment depends on. */
interface World {
  readonly tables: Tables
  readonly noted: { readonly plain: PolicySettings }
}

/** Why no request may ever match, as the world is now. */
export function warningsOf({ operation, path, key }: Moment, { tables, noted }: World): string[] {
  const warnings: string[] = []
  if (operation !== undefined) {
    const endpoint = endpoints.find(({ id }) => id === operation)
    const ids = endpoints.map(({ id }) => id)
    if (!endpoint) warnings.push(`No operation has the id ${operation}.${hint(operation, ids)}`)
    else if (!isEnabled(endpoint, noted.plain)) {
      warnings.push(`The policies leave ${operation} switched off.`)
    }
  }
  if (path !== undefined && !families.some(({ pattern }) => isOf(path, pattern))) {
    const paths = families.map(({ pattern }) => pattern.text)
    warnings.push(`No operation has the path ${path}.${hint(path, paths)}`)
  }
  if (key !== undefined && tables.keys.get(key) === undefined) {
    warnings.push(
      'No key of this world has this value: requests with it are refused, or go elsewhere.',
    )
  }
  return warnings
}

function isOf(path: string, pattern: Parameters<typeof toPath>[0]): boolean {
  return toPath(pattern, toBase('*')).match(path) !== null
}

function hint(word: string, allowed: readonly string[]): string {
  const meant = nearest(word, allowed)
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}
