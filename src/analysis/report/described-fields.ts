import { enabledFields, toJsonSchema } from '../../adapters/openapi/json-schema.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { resolveByPolicy } from '../../policies/by-policy.ts'
import type { PolicySettings } from '../../policies/policies.ts'

/** The names of everything that an operation reads and returns, under some settings. */
export interface DescribedFields {
  /** The parameters of the query */
  readonly parameters: readonly string[]
  readonly request_fields: readonly string[]
  /** Paths, such as `results[].created_by.email` */
  readonly response_fields: readonly string[]
}

/** Lists the parameters and fields of an operation, as the OpenAPI document does. */
export function describeFields(
  { query = {}, body, response }: Endpoint<never>,
  settings: PolicySettings,
): DescribedFields {
  const schema = resolveByPolicy(body ?? null, settings)
  const parameters = Object.entries(query).filter(
    ([, parameter]) => resolveByPolicy(parameter, settings).schema !== null,
  )
  return {
    parameters: parameters.map(([name]) => name),
    request_fields: schema ? enabledFields(schema, settings) : [],
    response_fields: [
      ...listPaths(toJsonSchema(resolveByPolicy(response, settings), 'output', settings)),
    ],
  }
}

interface DescribedValue {
  readonly properties?: Readonly<Record<string, DescribedValue>>
  readonly items?: DescribedValue
  readonly anyOf?: readonly DescribedValue[]
}

function* listPaths({ properties, items, anyOf }: DescribedValue, path = ''): Generator<string> {
  for (const [name, value] of Object.entries(properties ?? {})) {
    const own = path === '' ? name : `${path}.${name}`
    yield own
    yield* listPaths(value, own)
  }
  if (items) yield* listPaths(items, `${path}[]`)
  for (const value of anyOf ?? []) yield* listPaths(value, path)
}

/** Whether a JSON value has a field. @param path such as `results[].created_by.email` */
export function hasField(value: unknown, path: string): boolean {
  const [, name = '', isList, rest = ''] = /^([^.[]*)(\[\])?\.?(.*)$/s.exec(path) ?? []
  const child = name === '' ? value : Object(value)[name]
  if (name !== '' && !Object.hasOwn(Object(value), name)) return false
  if (!isList) return rest === '' || hasField(child, rest)
  return Array.isArray(child) && child.some((item) => rest === '' || hasField(item, rest))
}
