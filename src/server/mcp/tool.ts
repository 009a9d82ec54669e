import { type DescribedBody, toBodySchema } from '../../adapters/openapi/json-schema.ts'
import type { Parameter } from '../../http/parameters.ts'
import { resolvePolicies } from '../../policies/settings.ts'
import type { ControlClient } from '../../remote/client.ts'
import { type ControlOperationId, controlOperations } from '../../remote/control-operations.ts'
import { rejectUnknownFields, UsageError } from '../../utils/usage-error.ts'
import { allControlEndpoints } from '../control/endpoints.ts'

type Arguments = Readonly<Record<string, unknown>>

/** JSON Schema of arguments. Several agents accept no `anyOf` at its top level. */
export interface InputSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly required: readonly string[]
  readonly additionalProperties: false
}

/** A tool of the Model Context Protocol. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: InputSchema
  /** Whether the tool changes nothing */
  readonly isReadOnly: boolean
  /** @throws UsageError for wrong arguments, and if the server refuses them or does not respond */
  run(client: ControlClient, args: Arguments): Promise<unknown>
}

interface OperationToolOptions {
  /** By default the summary of the operation */
  readonly description?: string
  /** Arguments of the tool that the operation does not know, for `select` */
  readonly extra?: Readonly<Record<string, object>>
  /** The values of arguments that are left out */
  readonly defaults?: Arguments
  /** The argument that is the whole body. By default each field of the body is an argument */
  readonly bodyName?: string
  /** Converts the result of the operation to that of the tool. By default it stays as it is */
  readonly select?: (result: never, args: Arguments) => unknown
}

/** Creates a tool from an operation of the control API, with its name, summary, parameters and body. */
export function operationTool(id: ControlOperationId, options: OperationToolOptions = {}): Tool {
  const { extra = {}, defaults = {}, bodyName, select = (result) => result } = options
  const endpoint = allControlEndpoints.find((endpoint) => endpoint.id === id)
  const { summary = '', params = {}, query = {}, body = null } = endpoint ?? {}
  const { description = summary } = options
  const bodySchema = describeBody(body as DescribedBody | null, bodyName)
  const parameters = { ...params, ...query } as Readonly<Record<string, Parameter<unknown>>>
  const inputSchema: InputSchema = {
    type: 'object',
    properties: {
      ...Object.fromEntries(Object.entries(parameters).map(describeParameter)),
      ...bodySchema.properties,
      ...extra,
    },
    required: [...Object.keys(params), ...bodySchema.required],
    additionalProperties: false,
  }
  const pick = (args: Arguments, names: object) =>
    Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(names, name)))
  return {
    name: id,
    description,
    inputSchema,
    isReadOnly: controlOperations[id][0] === 'GET',
    async run(client, given) {
      checkArguments(id, given, inputSchema)
      const args = { ...defaults, ...given }
      const fields = pick(args, bodySchema.properties)
      const result = await client.call(id, {
        params: pick(args, params) as Record<string, string>,
        query: pick(args, query),
        ...(body !== null && { body: bodyName === undefined ? fields : fields[bodyName] }),
      })
      return select(result as never, args)
    },
  }
}

/** @throws UsageError for an unknown argument, and for a missing one */
export function checkArguments(
  name: string,
  args: Arguments,
  { properties, required }: InputSchema,
): void {
  rejectUnknownFields(args, Object.keys(properties), `call ${name}`)
  const missing = required.find((argument) => args[argument] === undefined)
  if (missing === undefined) return
  const { description } = properties[missing] as { description?: string }
  const hint = description === undefined ? '' : ` ${description}`
  throw new UsageError(`Failed to call ${name}: missing argument "${missing}".${hint}`, [], missing)
}

function describeParameter([name, parameter]: [string, Parameter<unknown>]): [string, object] {
  const { description, schema } = parameter
  return [name, { ...(typeof schema === 'object' && schema), description }]
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, object>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly ObjectSchema[]
}

/** The fields of a body. Those of a union are the fields of all its members, of which the server requires some. */
function describeBody(
  body: DescribedBody | null,
  name: string | undefined,
): Pick<InputSchema, 'properties' | 'required'> {
  if (body === null) return { properties: {}, required: [] }
  const schema = toBodySchema(body, resolvePolicies()) as ObjectSchema
  if (name !== undefined) return { properties: { [name]: schema }, required: [name] }
  const { properties = {}, required = [], anyOf } = schema
  if (!anyOf) return { properties, required }
  const fields = anyOf.flatMap((member) => Object.entries(member.properties ?? {}))
  return { properties: Object.fromEntries(fields), required: [] }
}
