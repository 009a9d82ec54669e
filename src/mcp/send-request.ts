import * as z from 'zod'
import type { Remote } from '../admin/connect.ts'
import { UsageError } from '../utils/errors.ts'
import { isObject, tryParseJson } from '../utils/json.ts'
import { createRequest } from '../utils/network.ts'
import { writeQuery } from '../utils/query.ts'
import { KeyRedactor } from '../utils/redaction/redactor.ts'
import { maxResult, type ToolContext, tool } from './tool.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
const value = z.union([z.string(), z.number(), z.boolean()]).transform(String)

const shape = {
  method: z.preprocess((method) => String(method).toUpperCase(), z.enum(methods)).optional(),
  path: z.string().describe('Such as /api/projects/1/annotations/'),
  query: z.record(z.string(), value).describe('{"limit": 2}').optional(),
  body: z.unknown().describe('Sent as JSON; a text as it is.').optional(),
  key: z
    .string()
    .describe('Label or value of a key. By default the first; an empty text for none.')
    .optional(),
  headers: z.record(z.string(), value).describe('They replace what the tool sends.').optional(),
}

type Sent = z.infer<z.ZodObject<typeof shape>>

/** The header that names the call, so that parallel calls find their own entries. */
const callHeader = 'understudy-call'

/** How many of the latest entries can be that of a call: the program under test can send requests at the same time. */
const maxLatest = 50

export const sendRequest = tool(
  'send_request',
  'Send a request. Returns status, body, the id of its journal entry, why it was refused, and what was ignored.',
  shape,
  send,
  {
    names: { url: 'path', params: 'query', as: 'key', api_key: 'key', json: 'body', data: 'body' },
  },
)

async function send({ remote, server, call }: ToolContext, sent: Sent) {
  const { key, body, query = {} } = sent
  // As `operations` writes it.
  const [, first, address] = /^\s*([a-z]+)\s+(\S.*)$/i.exec(sent.path) ?? []
  const method = sent.method ?? first?.toUpperCase() ?? 'GET'
  // Models fill each argument.
  const isLeftOut = body === null || body === '' || (isObject(body) && !Object.keys(body).length)
  const hasBody = body !== undefined && !(isLeftOut && /^(GET|HEAD)$/.test(method))
  const headers = new Headers(sent.headers)
  if (hasBody && !headers.has('content-type')) headers.set('content-type', 'application/json')
  if (key && headers.has('authorization')) {
    throw new UsageError('key: pass either a key or the header authorization')
  }
  const used = headers.has('authorization') || key === '' ? null : await findKey(remote, key)
  if (used !== null) headers.set('authorization', `Bearer ${used}`)
  headers.set(callHeader, call)
  const path = toPath(address ?? sent.path, remote.url)
  const parameters = writeQuery(Object.entries(query))
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
  const redactor = new KeyRedactor(used === null ? [] : [used])
  const entry = await findEntry([...(await worldsOf(server, used)), remote], method, call)
  const isLong = received !== undefined && received.length > maxResult / 2
  const shown = isLong ? undefined : received && redactor.body(received)
  return {
    status: response?.status ?? 0,
    ...(received === undefined && { broken: true }),
    entry: entry?.id ?? null,
    reason: entry?.reason ?? null,
    ignored: entry?.ignored ?? [],
    ...(entry?.nearest && { nearest: entry.nearest[0] }),
    headers: redactor.headers(
      [...(response?.headers ?? [])].filter(([name]) => !hidden.test(name)),
    ),
    body: shown === undefined ? null : (tryParseJson(shown)?.value ?? shown),
    ...(isLong && { left_out: `The body has ${received.length} characters. Ask for fewer rows.` }),
  }
}

/** Headers that say nothing about the API. */
const hidden = /^(?:connection|keep-alive|date|content-length|content-type)$/

/** @throws UsageError for an address of another server */
function toPath(path: string, url: string): string {
  if (path.startsWith(`${url}/`)) return path.slice(url.length)
  if (/^[a-z]+:\/\//i.test(path)) {
    throw new UsageError(`path: expected a path of ${url}, such as /api/projects/, got ${path}`)
  }
  return path.startsWith('/') ? path : `/${path}`
}

/** @throws UsageError if no key was named and there is none */
async function findKey(remote: Remote, named: string | undefined): Promise<string> {
  const keys = await remote.keys.list()
  const key = named?.replace(/^Bearer\s+/i, '')
  if (key !== undefined) return keys.find(({ label }) => label === key)?.value ?? key
  if (keys[0]) return keys[0].value
  throw new UsageError('There is no key. Issue one: write_rows {"issue_key": {"label": "mine"}}')
}

/** The sandbox that a key selects, whose journal has the request. */
async function worldsOf(server: Remote, key: string | null): Promise<Remote[]> {
  const sandboxes = key === null ? [] : await server.sandboxes.list()
  const found = sandboxes.find(({ keys }) => keys.some(({ value }) => value === key))
  const remote = found && (await server.sandboxes.get(found.id))
  return remote ? [remote] : []
}

async function findEntry(worlds: readonly Remote[], method: string, call: string) {
  for (const { journal } of worlds) {
    const latest = await journal.find({ method, limit: maxLatest, bodies: false })
    for (const { id } of latest.reverse()) {
      const entry = await journal.get(id)
      if (entry?.request.headers[callHeader] === call) return entry
    }
  }
  return undefined
}
