import * as z from 'zod'
import type { Remote } from '../admin/connect.ts'
import { presetNames } from '../simulator/faults/presets.ts'
import type { FaultRequest } from '../simulator/faults/schema.ts'
import { resetParts } from '../simulator/options.ts'
import { UsageError } from '../utils/errors.ts'
import { isObject, tryParseJson } from '../utils/json.ts'
import { createRequest } from '../utils/network.ts'
import { listOf, recordOf } from '../utils/options.ts'
import { writeQuery } from '../utils/query.ts'
import { KeyRedactor } from '../utils/redaction/redactor.ts'
import type { ClockSetting } from '../world/clock/clock.ts'
import type { RowEdits } from '../world/edit/edit-rows.ts'
import type { WorldJson } from '../world/world-json.ts'
import { existing, findSandbox, maxResult, named, object, type ToolContext, tool } from './tool.ts'

// What tools change. Each says what it has changed, and what does not exist is an error.

const writeRows = tool(
  'write_rows',
  'Add, update and delete rows, all or none, without a request of the API; issue and revoke keys. Returns ids.',
  {
    add: object('{"annotations": [{"content": "Launch"}]}'),
    update: object('{"annotations": [{"id": 1, "deleted": true}]}'),
    delete: object('{"annotations": [1]}'),
    issue_key: object('{"label": "reader", "scopes": ["annotation:read"]}'),
    revoke_key: z.string().describe('Its label or value.').optional(),
  },
  async ({ remote: { keys, world } }, changes) => {
    const { add, update, delete: deleted, issue_key, revoke_key } = changes
    const allKeys = revoke_key === undefined ? [] : await keys.list()
    const revoked =
      allKeys.find(({ label }) => label === revoke_key) ??
      allKeys.find(({ value }) => value === revoke_key)
    if (revoke_key !== undefined) {
      const labels = allKeys.flatMap((key) => key.label ?? [])
      existing(revoked, `Key ${revoke_key}`, labels, revoke_key)
    }
    const edits = {
      rows: asLists(issue_key ? { ...add, keys: [Object(add).keys ?? [], issue_key].flat() } : add),
      update: asLists(update, (row) => ({ ...Object(row), id: toId(row) })),
      delete: asLists(deleted, toId),
    } as RowEdits
    const added = edits.rows || update || deleted ? await world.edit(edits) : {}
    if (revoked) await keys.revoke(revoked.value)
    return {
      ...(add && { added }),
      ...(update && { updated: asLists(update, toId) }),
      ...(deleted && { deleted: asLists(deleted, toId) }),
      ...(issue_key && { key: added.keys?.at(-1) }),
      ...(revoke_key !== undefined && { revoked: revoke_key }),
    }
  },
  { hints: { destructiveHint: true } },
)

/** One row stands for a list of it. */
const asLists = (rows: object | undefined, convert = (row: unknown) => row) =>
  rows &&
  Object.fromEntries(Object.entries(rows).map(([name, list]) => [name, [list].flat().map(convert)]))

/** The id of a row, or an id as such. Models write numbers as texts. */
function toId(row: unknown) {
  const id = isObject(row) ? row.id : row
  return typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id
}

const changeFaults = tool(
  'faults',
  'Add or remove faults. Returns all, with the requests that each applied to.',
  {
    add: z
      .union([named, z.array(z.unknown())])
      .describe(
        `A preset (${presetNames.join(', ')}), or JSON such as {"operation": "listAnnotations", "when": {"times": 1}, "phase": "after-commit", "effect": {"edit": [{"delete": {"annotations": [4]}}]}}. Other effects: error, status, drop, delay_ms …`,
      )
      .optional(),
    remove: z
      .union([z.string(), z.literal(true)])
      .describe('The id of a fault, or all.')
      .optional(),
  },
  async ({ remote: { faults } }, { add, remove }) => {
    if (remove === true || remove === 'all') await faults.clear()
    else if (remove !== undefined) {
      const ids = (await faults.list()).map(({ id }) => id)
      existing(await faults.remove(remove), `Fault ${remove}`, ids, remove)
    }
    for (const rule of add === undefined ? [] : [add].flat()) {
      await faults.add((typeof rule === 'string' ? { preset: rule } : rule) as FaultRequest)
    }
    return faults.list()
  },
  { names: { clear: 'remove' }, rest: 'add' },
)

const reset = tool(
  'reset',
  'Reset rows (to the world that was loaded last), keys, settings, clock and faults, and clear the journal; then load a world. A clock alone resets nothing else.',
  {
    only: listOf(z.enum([...resetParts, 'journal'])).optional(),
    world: named.describe('default, empty, odd, crowded or JSON.').optional(),
    clock: named.describe('real, 2024-06-01T00:00:00Z or {"advance": {"hours": 1}}').optional(),
  },
  async ({ remote }, { only, world, clock }) => {
    const isClock = clock !== undefined && world === undefined
    const parts = only ?? (isClock ? [] : [...resetParts, 'journal' as const])
    const cleared = parts.includes('journal')
    const rest = parts.filter((part) => part !== 'journal')
    if (rest.length > 0) await remote.reset({ only: rest })
    if (cleared) await remote.journal.clear()
    const rows = world === undefined ? null : await remote.world.replace(world as WorldJson)
    if (clock !== undefined) await remote.clock.set(clock as ClockSetting)
    return {
      reset: rest,
      journal_cleared: cleared,
      ...(rows && { rows }),
      clock: await remote.clock.read(),
    }
  },
  { hints: { destructiveHint: true } },
)

const changeSandboxes = tool(
  'sandboxes',
  'List isolated worlds with their own keys and URL; create or delete one.',
  {
    create: named
      .describe('Such as {"name": "mine", "from": "empty", "profile": "live"}')
      .optional(),
    delete: z.string().describe('Its id or name.').optional(),
  },
  async ({ remote }, { create, delete: ended }) => {
    const { sandboxes } = remote
    if (ended !== undefined) await sandboxes.delete((await findSandbox(remote, ended)).id)
    if (create) {
      const start = typeof create === 'string' ? { name: create } : create
      const { id, name, url, key } = await sandboxes.create(start)
      return { id, name, url, key }
    }
    const all = await sandboxes.list()
    return all.map(({ id, name, url, expires_at }) => ({ id, name, url, expires_at }))
  },
  { hints: { destructiveHint: true }, rest: 'create' },
)

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
const inUpperCase = (value: unknown) => (typeof value === 'string' ? value.toUpperCase() : value)
const value = z.union([z.string(), z.number(), z.boolean()])

const shape = {
  method: z.preprocess(inUpperCase, z.enum(methods)).optional(),
  path: z.string().describe('Such as /api/projects/1/annotations/'),
  query: recordOf(value).describe('{"limit": 2}').optional(),
  body: z.unknown().describe('Sent as JSON; a text as it is.').optional(),
  key: z
    .string()
    .describe('Label or value of a key. By default the first; an empty text for none.')
    .optional(),
  headers: recordOf(value).describe('They replace what the tool sends.').optional(),
}

type Sent = z.infer<z.ZodObject<typeof shape>>

const textsOf = (values: object): [name: string, text: string][] =>
  Object.entries(values).map(([name, value]) => [name, String(value)])

/** The header that names the call, so that parallel calls find their own entries. */
const callHeader = 'understudy-call'

/** How many of the latest entries can be that of a call: the program under test can send requests at the same time. */
const maxLatest = 50

const sendRequest = tool(
  'send_request',
  'Send a request. Returns status, body, the id of its journal entry, why it was refused, and what was ignored.',
  shape,
  send,
  {
    names: { url: 'path', params: 'query', as: 'key', api_key: 'key', json: 'body', data: 'body' },
  },
)

async function send({ remote, call }: ToolContext, sent: Sent) {
  const { key, body, query = {} } = sent
  // Models write the first line of a request.
  const [, first, address] = /^\s*([a-z]+)\s+(\S.*)$/i.exec(sent.path) ?? []
  const method = sent.method ?? first?.toUpperCase() ?? 'GET'
  // Models fill each argument.
  const isLeftOut = body === null || body === '' || (isObject(body) && !Object.keys(body).length)
  const hasBody = body !== undefined && !(isLeftOut && /^(GET|HEAD)$/.test(method))
  const headers = new Headers(textsOf(sent.headers ?? {}))
  if (hasBody && !headers.has('content-type')) headers.set('content-type', 'application/json')
  if (key && headers.has('authorization')) {
    throw new UsageError('key: pass either a key or the header authorization')
  }
  const value = headers.has('authorization') || key === '' ? null : await findKey(remote, key)
  if (value !== null) headers.set('authorization', `Bearer ${value}`)
  headers.set(callHeader, call)
  const path = toPath(address ?? sent.path, remote.url)
  const parameters = writeQuery(textsOf(query))
  const separator = path.includes('?') ? '&' : '?'
  const target = parameters === '' ? path : `${path}${separator}${parameters}`
  const init = {
    method,
    headers: Object.fromEntries(headers),
    ...(hasBody && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }
  createRequest(remote.url + target, init)
  // A fault can break the connection before the response, or within its body.
  const response = await remote.fetch(target, init).catch(() => null)
  const received = await response?.text().catch(() => undefined)
  // What a tool returns leaves this machine.
  const redactor = new KeyRedactor(value === null ? [] : [value])
  const latest = await remote.journal.find({ limit: maxLatest })
  const entry = latest.findLast(({ request }) => request.headers[callHeader] === call)
  const isLong = received !== undefined && received.length > maxResult / 2
  const shown = isLong ? undefined : received && redactor.body(received)
  return {
    status: response?.status ?? 0,
    ...(received === undefined && { broken: true }),
    entry: entry?.id ?? null,
    reason: entry?.reason ?? null,
    ...(!entry && { hint: 'No entry was found. With a key of a sandbox, pass sandbox, too.' }),
    ignored: entry?.ignored ?? [],
    ...(entry?.nearest && { nearest: entry.nearest[0] }),
    headers: redactor.headers(
      [...(response?.headers ?? [])].filter(([name]) => !hidden.test(name)),
    ),
    body: shown === undefined ? null : (tryParseJson(shown)?.value ?? shown),
    ...(isLong && {
      left_out: `The body has ${received.length} characters: more than ${maxResult / 2}.`,
    }),
  }
}

/** Headers that say nothing about the API. */
const hidden = /^(?:connection|keep-alive|date|content-length|content-type)$/

/** @throws UsageError for an address of another server */
function toPath(path: string, url: string) {
  if (path.startsWith(`${url}/`)) return path.slice(url.length)
  if (/^[a-z]+:\/\//i.test(path)) {
    throw new UsageError(`path: expected a path of ${url}, such as /api/projects/, got ${path}`)
  }
  return path.startsWith('/') ? path : `/${path}`
}

/** @throws UsageError if no key was named and there is none */
async function findKey(remote: Remote, named: string | undefined) {
  const keys = await remote.keys.list()
  const key = named?.replace(/^Bearer\s+/i, '')
  if (key !== undefined) return keys.find(({ label }) => label === key)?.value ?? key
  if (keys[0]) return keys[0].value
  throw new UsageError(
    'There is no key. Issue one: write_rows {"issue_key": {"label": "mine"}}, without users with "add": {"organizations": [{}], "users": [{}]}',
  )
}

export const writeTools = [sendRequest, writeRows, changeFaults, reset, changeSandboxes]
