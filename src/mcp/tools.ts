import * as z from 'zod'
import { presetNames } from '../simulator/faults/presets.ts'
import { resetParts } from '../simulator/options.ts'
import { countedListNames } from '../world/tables.ts'
import type { EditableList } from '../world/world-json.ts'
import { describeOperations } from './operations.ts'
import {
  describeServer,
  findEntries,
  findSettings,
  reportMistakes,
  runScenario,
  shortReasons,
} from './read-tools.ts'
import { requestShape, sendRequest } from './send-request.ts'
import { existing, type Tool, tool } from './tool.ts'
import { changeFaults, changeSandboxes, resetServer, writeRows } from './write-tools.ts'

const text = z.string()
/** What the server checks, with messages of its own. Agents pay for each line of a schema. */
const object = (example: string) => z.looseObject({}).describe(`Such as ${example}`).optional()
const lists: readonly string[] = ['organizations', ...countedListNames]
const list = z.preprocess(
  (name) => lists.find((known) => known === name || known === `${name}s`) ?? name,
  z.enum(lists as EditableList[]),
)
const isReading = { readOnlyHint: true } as const
const isDestructive = { destructiveHint: true } as const

export const tools: readonly Tool[] = [
  tool(
    'overview',
    'Start here: the URL for the program under test, its keys, projects and organizations, the clock, faults and sandboxes.',
    {},
    describeServer,
    isReading,
  ),
  tool(
    'operations',
    'List the operations of the API. With an id or METHOD /path: its parameters, body fields, scope and statuses.',
    { operation: text.optional() },
    ({ server }, { operation }) => describeOperations(server, operation),
    isReading,
  ),
  tool(
    'send_request',
    'Send a request. Returns status, body, the id of its journal entry, why it was refused, and what was ignored.',
    requestShape,
    sendRequest,
  ),
  tool(
    'explain',
    'Explain a response by the id of its entry: what decided it, on which evidence, and a request that succeeds. all: every setting that it depends on.',
    { entry: z.int(), all: z.boolean().optional() },
    async ({ remote }, { entry, all }) => shortReasons(await remote.explain(entry), all === true),
    isReading,
  ),
  tool(
    'journal',
    'List the latest requests. With an id: one of them, whole. wait_s waits for a request after the entry `after`.',
    {
      id: z.int().optional(),
      after: z.int().optional(),
      limit: z.int().optional(),
      filter: object('{"status": "4xx", "operation": "listAnnotations", "path": "/api/projects/"}'),
      wait_s: z.number().max(30).optional(),
    },
    findEntries,
    isReading,
  ),
  tool(
    'report',
    'List the client mistakes, with cures: after an entry, only those that later requests show. settings: what its responses depend on.',
    { after: z.int().optional(), settings: z.boolean().optional() },
    reportMistakes,
    isReading,
  ),
  tool(
    'read_rows',
    'Find rows, deleted annotations included. With an id: one row.',
    {
      list,
      id: z.union([text, z.int()]).optional(),
      query: object('{"search": "launch", "project": 1, "sort": "-id"}'),
      limit: z.int().optional(),
    },
    async ({ remote: { world } }, { list, id, query, limit = 20 }) =>
      id === undefined
        ? world.find(list, { limit, ...query })
        : existing(await world.get(list, id), `Row ${id} of ${list}`),
    isReading,
  ),
  tool(
    'write_rows',
    'Add, update and delete rows, all or none, without a request of the API; issue and revoke keys. Returns ids.',
    {
      add: object('{"annotations": [{"content": "Launch"}]}'),
      update: object('{"annotations": [{"id": 1, "deleted": true}]}'),
      delete: object('{"annotations": [1]}'),
      issue_key: object('{"label": "reader", "scopes": ["annotation:read"]}'),
      revoke_key: text.describe('Its label or value.').optional(),
    },
    writeRows,
    isDestructive,
  ),
  tool(
    'faults',
    'Add or remove faults. Returns all, with the requests that each applied to.',
    {
      add: z
        .union([text, z.looseObject({}), z.array(z.looseObject({}))])
        .describe(
          `A preset (${presetNames.join(', ')}), or JSON such as {"operation": "createAnnotation", "when": {"times": 1}, "effect": {"error": "throttled"}}`,
        )
        .optional(),
      remove: text.describe('The id of a fault, or all.').optional(),
    },
    changeFaults,
  ),
  tool(
    'settings',
    'Find what the API documentation leaves open, by words of its id, question or evidence; or set values.',
    { text: text.optional(), set: object('{"annotations.delete.status": "404"}') },
    findSettings,
  ),
  tool(
    'reset',
    'Reset rows, keys, settings, clock and faults to the start, and clear the journal; then load a world, or set the clock.',
    {
      only: z.array(z.enum([...resetParts, 'journal'])).optional(),
      world: z
        .union([text, z.looseObject({})])
        .describe('default, empty, odd or JSON.')
        .optional(),
      clock: text.describe('real, 2024-06-01T00:00:00Z, or forward by +3600s').optional(),
    },
    resetServer,
    isDestructive,
  ),
  tool(
    'sandboxes',
    'List isolated worlds with their own keys and URL; create or delete one.',
    {
      create: object('{"name": "mine", "from": "empty", "profile": "live"}'),
      delete: text.describe('Its id or name.').optional(),
    },
    changeSandboxes,
    isDestructive,
  ),
  tool(
    'scenario',
    'Run a scenario in a world of its own, by name or as JSON; record the journal as one; or list their names.',
    {
      run: z
        .union([text, z.looseObject({})])
        .describe(
          '{"title": …, "steps": [{"as": "all", "method": "GET", "path": …, "expect": {"status": 200}}]}',
        )
        .optional(),
      options: object('{"world": "odd", "profile": "live"}'),
      record: z.boolean().optional(),
    },
    runScenario,
  ),
]
