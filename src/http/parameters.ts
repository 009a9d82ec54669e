import { type Resolvable, resolveByPolicy } from '../policies/by-policy.ts'
import type { PolicyId, PolicySettings } from '../policies/policies.ts'
import { parseInteger } from '../utils/python/int.ts'
import { Failure } from './failures.ts'
import type { JsonSchema } from './fields/shape.ts'

/** One parameter of a path or a query: how its text is read, and what documents say of it. */
export interface Parameter<T> {
  readonly description: string
  /** What may be sent; null where nobody needs to know of the parameter. */
  readonly schema: JsonSchema | null | ((settings: PolicySettings) => JsonSchema)
  /** Whether a query has to have it; a path always does. */
  readonly required?: boolean
  /** @param text the last value given; null where the parameter is missing */
  read(text: string | null, settings: PolicySettings): T
}

/** Parameters by name. A policy may decide how one is read. */
export type Parameters = {
  readonly [name: string]: Resolvable<Parameter<unknown>>
}

/** The values of parameters, by name. */
export type ParameterValues<P> = {
  readonly [Name in keyof P]: P[Name] extends Resolvable<Parameter<infer T>> ? T : never
}

export function readParameters(
  parameters: Parameters,
  textOf: (name: string) => string | null,
  settings: PolicySettings,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const name in parameters) {
    const parameter = resolveByPolicy(parameters[name] as Resolvable<Parameter<unknown>>, settings)
    values[name] = parameter.read(textOf(name), settings)
  }
  return values
}

/** The text of a path parameter as it stands there. */
export function pathParameter(description: string): Parameter<string> {
  return {
    description,
    schema: { type: 'string' },
    read: (text) => text ?? '',
  }
}

/** The id of a row. What is no integer names no row (observed §4.3). */
export function integerIdParameter(description: string): Parameter<number> {
  return {
    description,
    schema: { type: 'integer' },
    read(text) {
      const id = parseInteger(text ?? '')
      if (id === undefined) throw new Failure('not_found')
      return id
    },
  }
}

/** A parameter that an answer has no use for: whatever is sent, it is this. */
export function ignoredParameter<T>(value: T): Parameter<T> {
  return { description: 'Not read.', schema: null, read: () => value }
}

/**
 * Results per page (observed §3): what is no positive integer counts as the default; there is no maximum
 * unless `lists.limit.maximum` sets one.
 *
 * @param usual the default, or the policy that says it
 */
export function limitParameter(usual: PolicyId | number): Parameter<number> {
  return {
    description: 'Results per page.',
    schema: (settings) => {
      const number = typeof usual === 'number' ? usual : settings[usual]
      return numberOrDefault({ type: 'integer', minimum: 1, default: number }, settings)
    },
    read(text, settings) {
      const otherwise = typeof usual === 'number' ? usual : Number(settings[usual])
      const asked = parseInRange('limit', text, 1, settings) ?? otherwise
      const maximum = settings['lists.limit.maximum']
      return maximum === 'none' ? asked : Math.min(asked, Number(maximum))
    },
  }
}

/** Initial index (observed §3): what is no integer from 0 on counts as 0. */
export const offsetParameter: Parameter<number> = {
  description: 'Initial index.',
  schema: (settings) => numberOrDefault({ type: 'integer', minimum: 0, default: 0 }, settings),
  read: (text, settings) => parseInRange('offset', text, 0, settings) ?? 0,
}

/** What is no number in range is taken for the default, or refused, by the policy `lists.limit.invalid`. */
function numberOrDefault(number: JsonSchema, settings: PolicySettings): JsonSchema {
  if (settings['lists.limit.invalid'] === 'refused') return number
  return { anyOf: [number, { type: 'string', description: 'Anything else is the default.' }] }
}

function parseInRange(
  name: string,
  text: string | null,
  minimum: number,
  settings: PolicySettings,
): number | undefined {
  if (text === null) return undefined
  const number = parseInteger(text)
  if (number !== undefined && number >= minimum) return Math.min(number, Number.MAX_SAFE_INTEGER)
  if (settings['lists.limit.invalid'] === 'default') return undefined
  throw new Failure('validation_error', 'A valid integer is required.', {
    attr: name,
  })
}
