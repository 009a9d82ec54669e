import * as z from 'zod'
import type { Remote } from '../../control/connect.ts'
import type { Scenario } from '../../scenarios/format/scenario.ts'
import { presetNames } from '../../simulator/faults/presets.ts'
import type { FaultRequest } from '../../simulator/faults/schema.ts'
import type { JournalEntry } from '../../simulator/journal/entry.ts'
import { resetParts } from '../../simulator/reset.ts'
import { UsageError } from '../../utils/errors.ts'
import { tryParseJson } from '../../utils/json.ts'
import { createRequest } from '../../utils/network.ts'
import type { RowEdits } from '../../world/edit/edit-rows.ts'
import { countedListNames } from '../../world/tables.ts'
import type { EditableList } from '../../world/world-json.ts'

/** A tool of the Model Context Protocol: one or a few operations of the control API. */
interface Tool {
  readonly name: string
  readonly description: string
  readonly input: z.ZodObject
  /** @throws UsageError if the server refuses the arguments, or does not respond */
  run(remote: Remote, args: never): Promise<unknown>
}

function tool<Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  shape: Shape,
  run: (remote: Remote, args: z.infer<z.ZodObject<Shape>>) => Promise<unknown>,
): Tool {
  return { name, description, input: z.strictObject({ ...shape, sandbox }), run }
}

const text = z.string()
const sandbox = text.describe('The id of a sandbox, for its world.').optional()
/** What the server checks, with messages of its own. Agents pay for each line of a schema. */
const object = (example: string) => z.looseObject({}).describe(`Such as ${example}`)
const list = z.enum(['organizations', ...countedListNames] as EditableList[])
const id = z.union([z.int(), text])
const key = text
  .nullable()
  .optional()
  .describe('The label of a key, or any value. Null for none. By default the first key.')

const request = {
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']),
  path: text.startsWith('/').describe('With its query: /api/projects/1/annotations/?limit=2'),
  key,
  body: z.unknown().optional().describe('Sent as JSON.'),
  headers: z.record(text, text).optional(),
}

export const tools: readonly Tool[] = [
  tool(
    'send_request',
    'Send a request to the simulated API. Returns the response, the id of its journal entry, why it was refused, and what was ignored.',
    request,
    sendToApi,
  ),
  tool(
    'explain',
    'Explain a response by the id of its journal entry: the setting that decided it, the evidence, and a request that succeeds.',
    { entry: z.int() },
    (remote, { entry }) => remote.explain(entry),
  ),
  tool(
    'read_rows',
    'Find rows of a list, deleted annotations included. With an id: one row.',
    {
      list,
      id: id.optional(),
      query: object('{"search": "launch", "project": 1, "sort": "-id", "limit": 20}').optional(),
    },
    (remote, { list, id, query }) =>
      id === undefined ? remote.world.find(list, query) : remote.world.get(list, id),
  ),
  tool(
    'write_rows',
    'Add, update and delete rows of any list, all or none, without a request of the API. Returns the ids of new rows.',
    {
      add: object('{"annotations": [{"content": "Launch"}]}').optional(),
      update: object('{"annotations": [{"id": 1, "deleted": true}]}').optional(),
      delete: object('{"annotations": [1]}').optional(),
    },
    ({ world }, { add, update, delete: deleted }) =>
      world.edit({ rows: add, update, delete: deleted } as RowEdits),
  ),
  tool(
    'faults',
    'Add or remove faults. Returns all, with the requests that each applied to.',
    {
      add: object(
        `{"operation": "createAnnotation", "when": {"times": 1}, "effect": {"error": "throttled"}}, or {"preset": "${presetNames[0]}"}. The presets are ${presetNames.join(', ')}`,
      ).optional(),
      remove: text.optional().describe('The id of a fault, or all.'),
    },
    async ({ faults }, { add, remove }) => {
      if (remove === 'all') await faults.clear()
      else if (remove !== undefined) await faults.remove(remove)
      if (add) await faults.add(add as unknown as FaultRequest)
      return faults.list()
    },
  ),
  tool(
    'clock',
    'Read, set or advance the clock.',
    {
      set: text.optional().describe('`real`, or a time to freeze at, such as 2024-06-01T00:00:00Z'),
      advance: object('{"hours": 1}').optional(),
    },
    async ({ clock }, { set, advance }) => {
      if (set !== undefined) await clock.set(set)
      if (advance) await clock.advance(advance)
      return clock.read()
    },
  ),
  tool(
    'keys',
    'Issue or revoke an API key. Returns all, with their values and scopes.',
    {
      issue: object('{"label": "reader", "scopes": ["annotation:read"]}').optional(),
      revoke: text.optional().describe('The value of a key.'),
    },
    async ({ keys }, { issue, revoke }) => {
      if (revoke !== undefined) await keys.revoke(revoke)
      if (issue) await keys.issue(issue)
      return keys.list()
    },
  ),
  tool(
    'settings',
    'List or change what the documentation of the API leaves open. With a part of an id: the possible values, with their evidence.',
    { text: text.optional(), set: object('{"annotations.delete.status": "404"}').optional() },
    async ({ settings }, { text, set }) => {
      if (set) await settings.set(set as Record<string, string>)
      const all = (await settings.list()).filter(({ id }) => id.includes(text ?? ''))
      return text ? all : all.map(({ id, question, value }) => ({ id, question, value }))
    },
  ),
  tool(
    'sandboxes',
    'Create or delete an isolated world with its own keys and URL. Returns all.',
    {
      create: object('{"from": "empty", "ttl_s": 600}').optional(),
      delete: text.optional().describe('The id of a sandbox.'),
    },
    async ({ sandboxes }, { create, delete: ended }) => {
      if (ended !== undefined) await sandboxes.delete(ended)
      if (create) await sandboxes.create(create)
      return sandboxes.list()
    },
  ),
  tool(
    'reset',
    'Reset rows, keys, settings, clock and faults to those of the start.',
    { only: z.array(z.enum(resetParts)).optional() },
    (remote, { only }) => remote.reset(only && { only }),
  ),
  tool(
    'journal',
    'List the latest requests: status, key, why each was refused, what was ignored. With an id: one of them, whole.',
    {
      id: z.int().optional(),
      filter: object('{"status": "4xx", "operation": "listAnnotations", "limit": 20}').optional(),
    },
    async ({ journal }, { id, filter }) =>
      id === undefined
        ? (await journal.find({ limit: 20, ...filter })).map(summarize)
        : journal.get(id),
  ),
  tool(
    'report',
    'List the mistakes of clients that the journal shows, the settings that its responses rest on, and the scopes of keys.',
    {},
    (remote) => remote.report(),
  ),
  tool(
    'run_scenario',
    'Run a scenario in a world of its own, and return the steps that differ. Without one: list the scenarios.',
    {
      scenario: z.union([text, object('{"title": …, "steps": […]}')]).optional(),
      options: object('{"world": "odd", "profile": "live"}').optional(),
    },
    async ({ scenarios }, { scenario, options }) => {
      if (scenario === undefined) return scenarios.list()
      const result = await scenarios.run(scenario as string | Scenario, options)
      const failed = result.steps.filter(({ outcome }) => outcome !== 'passed')
      return { passed: result.passed, steps: result.steps.length, failed }
    },
  ),
]

type Sent = z.infer<z.ZodObject<typeof request>>

async function sendToApi(remote: Remote, { method, path, key, body, headers }: Sent) {
  const keys = await remote.keys.list()
  const value = key === undefined ? keys[0]?.value : keys.find(({ label }) => label === key)?.value
  const init = {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
      ...(key !== null && { authorization: `Bearer ${value ?? key}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  const { url } = createRequest(remote.url + path, init)
  const { pathname } = new URL(url)
  const [before] = await remote.journal.find({ limit: 1 })
  // A fault can break the connection before the response, or within its body.
  const response = await remote.fetch(path, init).catch(() => null)
  const received = await response?.text().catch(() => undefined)
  // Other clients can send requests at the same time.
  const after = await remote.journal.find({ limit: 20 })
  const entry = after.findLast(
    ({ id, ...sent }) => id > (before?.id ?? 0) && sent.method === method && sent.path === pathname,
  )
  return {
    status: response?.status ?? 0,
    headers: Object.fromEntries(response?.headers ?? []),
    body: received === undefined ? null : (tryParseJson(received)?.value ?? received),
    ...(received === undefined && { broken: true }),
    entry: entry?.id ?? null,
    reason: entry?.reason ?? null,
    ignored: entry?.ignored ?? [],
  }
}

/** An entry without its messages and settings. */
function summarize(entry: JournalEntry): object {
  const { request: _, settings: __, changes: ___, response, ...line } = entry
  return { ...line, status: response.status }
}

/** The largest result, in characters. Agents read all of it. */
const maxResult = 100_000

/** Runs a tool. @returns JSON @throws UsageError */
export async function runTool(
  { run }: Tool,
  server: Remote,
  { sandbox, ...args }: { readonly sandbox?: string },
): Promise<string> {
  const remote = sandbox === undefined ? server : await server.sandboxes.get(sandbox)
  if (!remote) throw new UsageError(`Sandbox ${sandbox} not found.`, 'sandbox')
  const result = JSON.stringify((await run(remote, args as never)) ?? null)
  if (result.length <= maxResult) return result
  throw new UsageError(
    `The result has ${result.length} characters, and at most ${maxResult} are returned. Ask for less, for example with a limit.`,
  )
}
