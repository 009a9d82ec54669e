import * as z from 'zod'
import { type DescribedBody, toBodySchema } from '../../adapters/openapi/json-schema.ts'
import type { Parameter } from '../../http/parameters.ts'
import { type ControlClient, replayRemotely } from '../../remote/client.ts'
import type { ControlOperationId } from '../../remote/control-operations.ts'
import type { JournalEntry } from '../../sandbox/journal/entry.ts'
import type { ReplayResult } from '../../scenarios/run/result.ts'
import type { SettingInfo } from '../../settings/access.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import { tryParseJson } from '../../utils/foreign-json.ts'
import { isObject } from '../../utils/json.ts'
import { parseOptions } from '../../utils/schema-issues.ts'
import { createSendableRequest } from '../../utils/sendable-request.ts'
import { rejectUnknownFields, UsageError } from '../../utils/usage-error.ts'
import type { KeyRow } from '../../world/rows.ts'
import { allControlEndpoints } from '../control/endpoints.ts'
import { isControlPath } from '../control/guard.ts'

type Arguments = Readonly<Record<string, unknown>>

/** JSON Schema of arguments. Several agents accept no `anyOf` at its top level. */
interface InputSchema {
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

interface OperationToolOptions<R> {
  /** By default the summary of the operation */
  readonly description?: string
  /** Arguments of the tool that the operation does not know, for `select` */
  readonly extra?: Record<string, { readonly type: 'string'; readonly description: string }>
  /** The values of arguments that are left out */
  readonly defaults?: Arguments
  /** The argument that is the whole body. By default each field of the body is an argument */
  readonly bodyName?: string
  /** Converts the result of the operation to that of the tool. By default it stays as it is */
  readonly select?: (result: R, args: Arguments) => unknown
}

/** Creates a tool from an operation of the control API, with its name, summary, parameters and body. */
function operationTool<R>(id: ControlOperationId, options: OperationToolOptions<R> = {}): Tool {
  const { extra = {}, defaults = {}, bodyName, select = (result) => result } = options
  const endpoint = allControlEndpoints.find((endpoint) => endpoint.id === id)
  const { method, summary = '', params = {}, query = {}, body = null } = endpoint ?? {}
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
  const ownSchema = z.fromJSONSchema({ type: 'object', properties: extra })
  const pick = (args: Arguments, names: object) =>
    Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(names, name)))
  return {
    name: id,
    description,
    inputSchema,
    isReadOnly: method === 'GET',
    async run(client, sent) {
      checkArguments(id, sent, inputSchema)
      // The server checks the others.
      parseOptions(ownSchema, sent, `call ${id}`, 'arguments')
      const args = { ...defaults, ...sent }
      const fields = pick(args, bodySchema.properties)
      const result = await client.call<R>(id, {
        params: pick(args, params) as Record<string, string>,
        query: pick(args, query),
        ...(body !== null && { body: bodyName === undefined ? fields : fields[bodyName] }),
      })
      return select(result, args)
    },
  }
}

/** @throws UsageError for an unknown argument, and for a missing one */
function checkArguments(
  name: string,
  args: Arguments,
  { properties, required }: InputSchema,
): void {
  rejectUnknownFields(args, Object.keys(properties), `call ${name}`)
  const missing = required.find((argument) => args[argument] === undefined)
  if (missing === undefined) return
  const { description } = properties[missing] as { description?: string }
  const hint = description === undefined ? '' : ` ${description}`
  throw new UsageError(`Failed to call ${name}: missing argument "${missing}".${hint}`, missing)
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
  const schema = shorten(toBodySchema(body, resolveSettings())) as ObjectSchema
  if (name !== undefined) return { properties: { [name]: schema }, required: [name] }
  const { properties = {}, required = [], anyOf } = schema
  if (!anyOf) return { properties, required }
  const fields = anyOf.flatMap((member) => Object.entries(member.properties ?? {}))
  return { properties: Object.fromEntries(fields), required: [] }
}

/** Agents pay for each character of a tool, so the rows within a rule are described by the server alone, which checks them. */
function shorten(schema: unknown, depth = 0): unknown {
  if (Array.isArray(schema)) return schema.map((each) => shorten(each, depth))
  if (!isObject(schema)) return schema
  const { properties, ...others } = schema
  if (properties && depth === 3) return { type: 'object' }
  return {
    ...mapValues(others, (each) => shorten(each, depth)),
    ...(isObject(properties) && {
      properties: mapValues(properties, (each) => shorten(each, depth + 1)),
    }),
  }
}

function mapValues(values: object, map: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(values).map(([name, each]) => [name, map(each)]))
}

const argumentsSchema = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']),
  path: z
    .string()
    .regex(/^\/(?!\/)/, { error: 'expected a path such as /api/projects/' })
    .refine((path) => !isControlPath(path), {
      error: 'expected a path of the API, not of the control API, which the other tools call',
    })
    .describe('The path with its query, such as /api/projects/1/annotations/?limit=2.'),
  key: z
    .string()
    .nullable()
    .exactOptional()
    .describe(
      'The label of a key, or any value. Null for none. By default the first key with full access.',
    ),
  body: z.unknown().optional().describe('Sent as JSON.'),
  headers: z.record(z.string(), z.string()).exactOptional(),
})

const { properties = {} } = z.toJSONSchema(argumentsSchema, { io: 'input' })

const inputSchema: InputSchema = {
  type: 'object',
  properties: properties as InputSchema['properties'],
  required: ['method', 'path'],
  additionalProperties: false,
}

/** What a server adds to each response. In-process there is no connection. */
const connectionHeaders: readonly string[] = [
  'connection',
  'date',
  'keep-alive',
  'transfer-encoding',
]

/** The largest number of requests that others sent in the meantime. */
const maxOthers = 20

const sendRequest: Tool = {
  name: 'sendRequest',
  description:
    'Send a request to the simulated API with a key. Returns status, headers, body and the id of its journal entry, and why it was refused or what was ignored.',
  inputSchema,
  isReadOnly: false,
  async run(client, args) {
    const request = parseOptions(argumentsSchema, args, 'send a request', 'arguments')
    const { method, path } = request
    const init = createInit(client, request, await findKey(client, request.key))
    const before = (await listEntries(client, 1)).at(-1)?.id ?? 0
    const response = await client.fetch(client.url + path, init).catch(() => Response.error())
    const isBroken = response.type === 'error'
    // Throws if the server is gone. Otherwise a fault has broken the connection.
    if (isBroken) await client.health()
    const text = isBroken ? null : await response.text().catch(() => null)
    const { status } = response
    return {
      status,
      headers: Object.fromEntries(
        [...response.headers].filter(([name]) => !connectionHeaders.includes(name)),
      ),
      // The connection can break before the response, or within its body.
      body: text === null ? null : (tryParseJson(text)?.value ?? text),
      ...(text === null && { broken: true }),
      ...(await findEntry(client, { method, path }, status, before)),
    }
  },
}

/** @throws UsageError for a method, a header or a body that no request can have */
function createInit(
  { url }: ControlClient,
  { method, path, body: value, headers: sent = {} }: z.infer<typeof argumentsSchema>,
  key: string | null,
): RequestInit {
  const names = Object.entries(sent).map(([name, text]) => [name.toLowerCase(), text] as const)
  const headers = {
    ...(value !== undefined && { 'content-type': 'application/json' }),
    ...Object.fromEntries(names),
    ...(key !== null && { authorization: `Bearer ${key}` }),
  }
  const init = { method, headers, ...(value !== undefined && { body: JSON.stringify(value) }) }
  createSendableRequest(url + path, init)
  return init
}

/** Returns the value of a key. A text that is no label is the value itself, so that unknown keys can be tried. */
async function findKey(client: ControlClient, key: string | null = ''): Promise<string | null> {
  if (key === null) return null
  const keys = await client.call<KeyRow[]>('listKeys')
  if (key !== '') return keys.find(({ label }) => label === key)?.value ?? key
  const hasAll = ({ scopes, projects, organizations }: KeyRow): boolean =>
    scopes?.includes('*') === true && projects.length + organizations.length === 0
  return (keys.find(hasAll) ?? keys[0])?.value ?? null
}

/**
 * Other clients can send requests at the same time: the entry is the latest one that fits. A request whose key selects
 * another sandbox has no entry here.
 *
 * @param before the id of the latest entry before the request
 */
async function findEntry(
  client: ControlClient,
  { method, path }: { readonly method: string; readonly path: string },
  status: number,
  before: number,
): Promise<object> {
  const entries = await listEntries(client, maxOthers)
  const [pathname = ''] = path.split('?')
  const found = entries.findLast(
    (entry) =>
      entry.id > before &&
      entry.method === method &&
      pathname.startsWith(entry.path) &&
      entry.response.status === status,
  )
  if (!found) return { entry: null }
  const { id, reason, ignored } = found
  return { entry: id, reason, ignored }
}

function listEntries(client: ControlClient, limit: number): Promise<JournalEntry[]> {
  return client.call<JournalEntry[]>('listJournal', { query: { limit } })
}

/** All tools. Most are operations of the control API, under the same name. */
export const tools: readonly Tool[] = [
  operationTool('readVocabulary'),
  operationTool('listKeys'),
  operationTool('listRows', { defaults: { limit: 20 } }),
  sendRequest,
  operationTool('listJournal', {
    description:
      'List requests, the oldest first: status, key, why each was refused, and ignored input. Without a limit, the last 20.',
    defaults: { limit: 20 },
    select: (entries: readonly JournalEntry[]) => entries.map(summarizeEntry),
  }),
  operationTool('retrieveJournalEntry'),
  operationTool('explainEntry', {
    description:
      'Explain a response by the id of its journal entry: the setting that decided it, the others that it depends on, the evidence, and a request that succeeds.',
  }),
  operationTool('listMistakes'),
  operationTool('listFaults'),
  operationTool('addFaults', {
    description:
      'Add a fault rule: the requests that it applies to, and an effect. Or add the rules of a preset, by its name alone.',
  }),
  operationTool('removeFault'),
  operationTool('clearFaults'),
  operationTool('readClock'),
  operationTool('setClock'),
  operationTool('advanceClock'),
  operationTool('listSettings', {
    description:
      'List what the documentation of the API leaves open: question and value of each setting. With a text, also the possible values with their evidence.',
    extra: { text: { type: 'string', description: 'A part of the id, such as delete.' } },
    select: (settings: readonly SettingInfo[], { text }) => selectSettings(settings, text),
  }),
  operationTool('setSettings', {
    description: 'Set settings by id, all or none, such as {"annotations.delete.status": "404"}.',
    bodyName: 'settings',
    select: (all: object, { settings }) =>
      Object.fromEntries(
        Object.entries(all).filter(([id]) => Object.hasOwn(settings as object, id)),
      ),
  }),
  operationTool('resetWorld'),
  operationTool('listSnapshots'),
  operationTool('createSnapshot'),
  operationTool('restoreSnapshot'),
  operationTool('listScenarios'),
  {
    ...operationTool('replayScenario', {
      description:
        'Run a scenario in a world of its own, by its name or as an object. Returns the steps that differ, and the settings that decide it.',
    }),
    // The operation streams its steps.
    run: async (client, { scenario, ...options }) =>
      summarizeReplay(await replayRemotely(client, scenario as string, options)),
  },
]

function summarizeEntry(entry: JournalEntry): object {
  const { id, at, operation, method, path, query, key, response, reason, ignored } = entry
  const { fault } = entry
  const search = String(new URLSearchParams(query))
  return {
    id,
    at,
    operation,
    request: `${method} ${path}${search && `?${search}`}`,
    key: key && (key.label ?? key.value),
    status: response.status,
    reason,
    ignored,
    ...(fault && { fault }),
  }
}

function selectSettings(settings: readonly SettingInfo[], text: unknown): readonly object[] {
  if (text === undefined) {
    return settings.map(({ id, question, value }) => ({ id, question, value }))
  }
  return settings.filter(({ id }) => id.includes(String(text)))
}

function summarizeReplay({ title, passed, steps }: ReplayResult): object {
  return {
    title,
    passed,
    steps: steps.length,
    not_passed: steps.filter(({ outcome }) => outcome !== 'passed'),
  }
}
