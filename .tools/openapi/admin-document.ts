import { type Operations, operations } from '../../src/admin/operations.ts'
import { mapValues } from '../../src/utils/json.ts'
import { version } from '../../src/utils/version.ts'
import { editableLists } from '../../src/world/tables.ts'
import { referencedNames } from './document.ts'
import { describeTypes, type JsonSchema } from './type-schemas.ts'

/** The request of an example, and the response to it. */
export interface AdminExample {
  readonly body?: unknown
  readonly response?: unknown
}

/** The names of the operations in generated clients. */
const names = {
  'GET /health': 'readHealth',
  'GET /world': 'readWorld',
  'PUT /world': 'replaceWorld',
  'PATCH /world': 'editRows',
  'POST /reset': 'reset',
  'GET /world/:list': 'findRows',
  'GET /world/:list/:id': 'readRow',
  'PATCH /world/:list/:id': 'updateRow',
  'DELETE /world/:list/:id': 'deleteRow',
  'GET /sandboxes': 'listSandboxes',
  'POST /sandboxes': 'createSandbox',
  'DELETE /sandboxes/:id': 'deleteSandbox',
  'GET /clock': 'readClock',
  'PUT /clock': 'setClock',
  'GET /keys': 'listKeys',
  'POST /keys': 'issueKey',
  'DELETE /keys/:value': 'revokeKey',
  'GET /settings': 'listSettings',
  'PATCH /settings': 'setSettings',
  'GET /faults': 'listFaults',
  'POST /faults': 'addFault',
  'DELETE /faults': 'clearFaults',
  'DELETE /faults/:id': 'removeFault',
  'GET /journal': 'findEntries',
  'DELETE /journal': 'clearJournal',
  'GET /journal/events': 'followJournal',
  'GET /journal/har': 'exportHar',
  'GET /journal/mistakes': 'listMistakes',
  'GET /journal/:id': 'readEntry',
  'GET /journal/:id/reasons': 'explainEntry',
  'POST /verify': 'verify',
  'POST /record': 'record',
  'GET /report': 'readReport',
  'GET /scenarios': 'listScenarios',
  'GET /scenarios/:name': 'readScenario',
  'POST /runs': 'runScenario',
  'PUT /recording': 'openRecording',
  'POST /recording/verify': 'verifyRecording',
} satisfies Record<keyof Operations, string>

/**
 * Creates the OpenAPI document of the admin API from its operations: their types, which the client `connect` has, too.
 *
 * @param root the folder of the project
 * @param examples a request for each operation, and the response to it
 */
export function createAdminDocument(
  root: string,
  examples: Readonly<Record<keyof Operations, AdminExample>>,
): object {
  const described = describeTypes('admin-types.ts', `${root}/.tools/openapi`)
  const { Bodies = {}, Queries = {}, Results = {} } = described.types
  const paths: Record<string, Record<string, object>> = {}
  for (const [line, name] of Object.entries(names)) {
    const [method = '', pattern = ''] = line.split(' ')
    const { summary, body: takesBody, isOpen } = operations[line as keyof Operations]
    const path = pattern.replace(/:(\w+)/g, '{$1}')
    const body = takesBody ? (Bodies[line] ?? {}) : null
    const example = examples[line as keyof Operations]
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = {
      operationId: name,
      summary,
      tags: [tagOf(line)],
      ...(isOpen && { security: [{}] }),
      parameters: [
        ...pathParameters(pattern),
        ...queryParameters(Queries[line], described.components),
      ],
      ...(body && {
        requestBody: {
          required: example.body !== undefined,
          content: { 'application/json': { schema: body, example: example.body } },
        },
      }),
      responses: {
        ...responseOf(line, summary, Results[line] ?? null, example),
        ...errorsOf(method, pattern, body !== null, isOpen),
      },
    }
  }
  const responses = mapValues(errors, toResponse)
  const schemas = { ...described.components, Error: errorSchema }
  const used = referencedNames([paths, responses], schemas)
  return {
    openapi: '3.1.0',
    info,
    servers,
    security: [{}, { token: [] }],
    tags: groups.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name))),
      responses,
      securitySchemes: { token },
    },
  }
}

const groups = [
  {
    name: 'world',
    description: 'Operations, without the checks of the API.',
    paths: ['world', 'reset'],
  },
  {
    name: 'sandboxes',
    description: 'Isolated worlds, such as one for each test.',
    paths: ['sandboxes'],
  },
  {
    name: 'state',
    description: 'Clock, keys, settings and faults.',
    paths: ['clock', 'keys', 'settings', 'faults'],
  },
  {
    name: 'journal',
    description: 'The requests, and what they say of the client.',
    paths: ['journal', 'verify', 'record', 'report'],
  },
  {
    name: 'scenarios',
    description: 'Scenarios, and the recording that is served.',
    paths: ['scenarios', 'runs', 'recording'],
  },
  { name: 'server', description: 'The server itself.', paths: ['health'] },
]

function tagOf(line: string): string {
  const [, path = ''] = line.split('/')
  return groups.find((group) => group.paths.includes(path))?.name ?? ''
}

const info = {
  title: 'Understudy admin API',
  version,
  description:
    'Reads and changes a running simulator: its world, clock, faults, settings, sandboxes, journal and scenarios. Lists in the examples of responses are shortened.',
  license: { name: 'MIT', identifier: 'MIT' },
}

const servers = [
  { url: '/__admin', description: "The server's own world." },
  {
    url: '/__sandbox/{sandbox}/__admin',
    description: 'The world of a sandbox, by its id.',
    variables: { sandbox: { default: 'sandbox-1' } },
  },
]

const token = {
  type: 'http',
  scheme: 'bearer',
  description:
    'The token of `--token`. Without one, all but `GET /health` is open only if the server listens on a loopback address.',
}

const id = { type: 'string' }
const rowId = { anyOf: [{ type: 'integer' }, id] }

/** Parameters of paths that are more than a text. */
function parameterSchema(pattern: string, name: string): JsonSchema {
  if (name === 'list') return { type: 'string', enum: editableLists }
  if (name === 'id' && pattern.startsWith('/world')) return rowId
  return name === 'id' && pattern.startsWith('/journal') ? { type: 'integer' } : id
}

function pathParameters(pattern: string): object[] {
  return [...pattern.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: parameterSchema(pattern, name),
  }))
}

function queryParameters(query: JsonSchema | null | undefined, components: Components): object[] {
  const name =
    String(query?.$ref ?? '')
      .split('/')
      .at(-1) ?? ''
  const { properties = {} } = (components[name] ?? query ?? {}) as {
    properties?: Readonly<Record<string, JsonSchema>>
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(description !== undefined && { description }),
    schema,
  }))
}

type Components = Readonly<Record<string, JsonSchema>>

function responseOf(
  line: string,
  summary: string,
  result: JsonSchema | null,
  { response }: AdminExample,
): object {
  if (line === 'GET /journal/events') {
    const content = { 'text/event-stream': { schema: { type: 'string' }, example: response } }
    return { 200: { description: 'Entries of the journal, each the data of an event.', content } }
  }
  if (result === null) return { 204: { description: 'Done. There is nothing to return.' } }
  const content = { 'application/json': { schema: result, example: shorten(response) } }
  return { 200: { description: summary, content } }
}

/** Lists of more than two items have two. */
function shorten(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return mapValues(Array.isArray(value) ? value.slice(0, 2) : value, shorten)
}

/** Why a request is refused, by status. */
const errors = {
  400: 'A field, a parameter or the JSON is invalid. Unless it is the JSON, `issues` has up to 100 problems.',
  401: 'The token is missing or wrong.',
  403: 'A page of another site asks. Or the server has no token, and other machines can reach it, or the host of the URL is neither localhost nor a loopback address.',
  404: 'The resource does not exist. `attr` is the parameter of the path that names it.',
  409: 'A value that the request chooses is taken, such as a key or an id. Nothing was changed.',
  413: 'The body is larger than 64 MiB.',
  415: 'The body has another Content-Type than application/json.',
  429: 'A limit is reached: of sandboxes or faults.',
}

/** Operations whose requests choose keys or ids. */
const choosesValues = new Set(['POST /sandboxes', 'POST /keys', 'PATCH /world'])

function errorsOf(method: string, pattern: string, hasBody: boolean, isOpen: boolean): object {
  const isLimited = method === 'POST' && /^\/(?:sandboxes|faults)$/.test(pattern)
  const statuses = [
    ...(isOpen ? [] : [400, 401, 403]),
    ...(pattern.includes(':') ? [404] : []),
    ...(choosesValues.has(`${method} ${pattern}`) ? [409] : []),
    ...(hasBody ? [413, 415] : []),
    ...(isLimited ? [429] : []),
  ]
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]),
  )
}

function toResponse(description: unknown): object {
  const schema = { $ref: '#/components/schemas/Error' }
  return { description, content: { 'application/json': { schema } } }
}

const errorSchema = {
  type: 'object',
  required: ['type', 'code', 'detail', 'attr'],
  properties: {
    type: { type: 'string' },
    code: { type: 'string' },
    detail: { type: 'string', description: 'What failed, what was expected, and what to do.' },
    attr: { type: ['string', 'null'], description: 'The field that is wrong, if it is one.' },
    issues: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'text'],
        properties: {
          path: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
          text: { type: 'string' },
        },
      },
    },
  },
}
