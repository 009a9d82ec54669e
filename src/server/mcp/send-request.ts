import * as z from 'zod'
import type { ControlClient } from '../../remote/client.ts'
import type { JournalEntry } from '../../sandbox/journal/entry.ts'
import { tryParseJson } from '../../utils/json.ts'
import { parseOptions } from '../../utils/schema-issues.ts'
import { UsageError } from '../../utils/usage-error.ts'
import type { KeyRow } from '../../world/rows.ts'
import type { InputSchema, Tool } from './tool.ts'

const argumentsSchema = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']),
  path: z
    .string()
    .regex(/^\/(?!\/)/, { error: 'expected a path such as /api/projects/' })
    .regex(/^(?!\/__admin(?:[/?]|$))/, {
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

const { $schema: _, ...inputSchema } = z.toJSONSchema(argumentsSchema, { io: 'input' })

/** What a server adds to each response. In-process there is no connection. */
const connectionHeaders: readonly string[] = [
  'connection',
  'date',
  'keep-alive',
  'transfer-encoding',
]

/** The largest number of requests that others sent in the meantime. */
const maxOthers = 20

export const sendRequest: Tool = {
  name: 'sendRequest',
  description:
    'Send a request to the simulated API with a key. Returns status, headers, body and the id of its journal entry, and why it was refused or what was ignored.',
  inputSchema: { ...inputSchema, required: ['method', 'path'] } as unknown as InputSchema,
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
      ...(await findEntry(client, { method, path, status, before })),
    }
  },
}

/** @throws UsageError for a method, a header or a body that no request can have */
function createInit(
  { url }: ControlClient,
  request: z.infer<typeof argumentsSchema>,
  key: string | null,
): RequestInit {
  const { method, path, body } = request
  try {
    const headers = new Headers(request.headers)
    if (key !== null) headers.set('authorization', `Bearer ${key}`)
    if (body !== undefined && !headers.has('content-type')) {
      headers.set('content-type', 'application/json')
    }
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    // Throws for what cannot be sent. Nothing else does later, except for the connection.
    void new Request(url + path, init)
    return init
  } catch (error) {
    throw new UsageError(`This request cannot be sent: ${(error as Error).message}`)
  }
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

interface SentRequest {
  readonly method: string
  readonly path: string
  readonly status: number
  /** The id of the latest entry before it */
  readonly before: number
}

/**
 * Other clients can send requests at the same time: the entry is the latest one that fits. A request whose key selects
 * another sandbox has no entry here.
 */
async function findEntry(
  client: ControlClient,
  { method, path, status, before }: SentRequest,
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
  const { id, reason, ignored, decided_by = [] } = found
  return { entry: id, reason, ignored, decided_by }
}

function listEntries(client: ControlClient, limit: number): Promise<JournalEntry[]> {
  return client.call<JournalEntry[]>('listJournal', { query: { limit } })
}
