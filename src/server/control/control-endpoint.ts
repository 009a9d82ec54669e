import type * as z from 'zod'
import { Failure } from '../../http/failures.ts'
import type { BodySchema } from '../../http/fields/body-schema.ts'
import type { Parameter } from '../../http/parameters.ts'
import { queryString } from '../../http/url.ts'
import type { ScenarioLibrary } from '../../scenarios/format/scenario.ts'
import type { Simulator } from '../../simulator.ts'
import { describeIssues, formatIssuePath, suggestFields } from '../../utils/schema-issues.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { worldSchema } from '../../world/schema/world-schema.ts'
import type { WorldJson } from '../../world/world-json.ts'

/** Fills what a world leaves to the factories. */
export type WorldGenerator = (world: WorldJson) => WorldJson

/** What endpoints of the control API work with. */
export interface ControlContext {
  /** The simulator that is controlled: of the sandbox in the address, or the server's own. */
  readonly simulator: Simulator
  /** The server's own, which has the sandboxes. */
  readonly root: Simulator
  /** Loads what fills what a world leaves to the factories. */
  readonly loadGenerator: () => Promise<WorldGenerator>
  /** The world of a fixture that is a file; null for a name that no fixture has. */
  readonly readFixture: (name: string) => Promise<WorldJson | null>
  /** The scenarios that are at hand. */
  readonly scenarios: ScenarioLibrary
  /** The OpenAPI document of all of it. */
  readonly openApiDocument: () => object
}

/** A world whose rows are all there. */
export async function withGeneratedRows(
  world: WorldJson,
  generator: ControlContext['loadGenerator'],
): Promise<WorldJson> {
  return world?.generate ? (await generator())(world) : world
}

const readFailed = 'Failed to read the body.'

/**
 * A body of the control API. A missing one counts as `{}`; every fault is told with its path.
 *
 * @example body: bodyOf(z.strictObject({ name: z.string() }))
 */
export function jsonBody<T>(schema: z.ZodType<T>): BodySchema<T> {
  return {
    fields: {},
    required: [],
    schema,
    read(value = {}) {
      // Schemas leave it out without a word: nothing shall be taken for done that was not.
      if (Object.hasOwn(Object(value), '__proto__')) {
        throw new UsageError(readFailed, ['body: unknown field "__proto__"'], '__proto__')
      }
      const parsed = schema.safeParse(value, suggestFields)
      if (parsed.success) return parsed.data
      const faults = describeIssues(parsed.error, value, 'body')
      throw new UsageError(readFailed, faults, unknownField(parsed.error))
    },
  }
}

/** The first fault, where it is a field that nobody knows: then that is the field at fault. */
function unknownField({ issues: [first] }: z.ZodError): string | null {
  return first?.code === 'unrecognized_keys'
    ? formatIssuePath([...first.path, first.keys[0] as string])
    : null
}

/**
 * Any JSON: whoever gets it says what is wrong with it.
 *
 * @param schema what documents say of it
 */
export function uncheckedBody<T>(schema?: z.ZodType): BodySchema<T> {
  return { fields: {}, required: [], ...(schema && { schema }), read: (value) => value as T }
}

/** A whole world in the format of fixtures; loading it tells every fault. */
export const worldBody: BodySchema<WorldJson> = uncheckedBody(worldSchema)

/**
 * What a path or a query of the control API asks for by its name is not there. The parameter is the field at
 * fault: so whoever asks can tell a row that is gone from an address that is wrong.
 *
 * @example throw absent('id', 'Fault 7', 'it was never added, or was removed')
 */
export function resourceNotFound(parameter: string, what: string, reason: string): Failure {
  return new Failure('not_found', `${what} not found: ${reason}.`, { attr: parameter })
}

/** What a value of a query is read as; what cannot be read stays a text, for whoever takes it to refuse. */
export type QueryTypes = Readonly<Record<string, 'number' | 'boolean'>>

/** The query in an address, unchecked, names included. */
export function parseQuery(url: string, reads: QueryTypes): object {
  const pairs = [...new URLSearchParams(queryString(url))]
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, parseQueryValue(value, reads[name])]),
  )
}

/** A parameter that is taken as it stands. */
export function textParameter(description: string): Parameter<string | null> {
  return { description, schema: { type: 'string' }, read: (given) => given }
}

function parseQueryValue(value: string, as: QueryTypes[string] | undefined): unknown {
  if (as === 'number' && /^-?\d+$/.test(value)) return Number(value)
  if (as === 'boolean' && /^(true|false)$/.test(value)) return value === 'true'
  return value
}
