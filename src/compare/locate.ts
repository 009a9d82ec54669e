import { UsageError } from '../utils/errors.ts'
import { isObject, tryParseJson } from '../utils/json.ts'
import { UnreachableError } from '../utils/network.ts'
import { type FilledRequest, fillProbe, type ServerIds } from './fill-probe.ts'
import type { ComparedKey } from './keys.ts'
import { lists, type Probe } from './probes.ts'
import { Ended, type ProbeSender, type Received } from './sender.ts'

interface LocateOptions {
  readonly url: string
  readonly keys: readonly ComparedKey[]
  readonly project?: string | undefined
  readonly organization?: string | undefined
  readonly marker: string
}

/** Where the probes find rows of a server. */
interface Located {
  readonly ids: ServerIds
  /** A request that works */
  readonly control: Probe
  /** Whether paths end with a slash */
  readonly hasSlash: boolean
  readonly notes: readonly string[]
}

type Row = Readonly<Record<string, unknown>>

/**
 * Finds the project and the organization: those of the options, else the first ones that the server lists.
 *
 * @throws UsageError if the server refuses the keys
 * @throws UnreachableError if it is another API, or fails
 */
export async function locate(options: LocateOptions, sender: ProbeSender): Promise<Located> {
  const { url, keys, project, organization, marker } = options
  const unknown: ServerIds = {
    project: project ?? '@current',
    org: organization ?? '@current',
    other: null,
    missing: '99999999',
    marker,
    keys: Object.fromEntries(keys.map(({ label, value }) => [label, value])),
  }
  let refusesSlash: Received | null = null
  const send = async (path: string, { method, headers }: FilledRequest): Promise<Received> => {
    try {
      return await sender.send(url.replace(/\/+$/, '') + path, { method, headers })
    } catch (error) {
      if (error instanceof Ended) throw new UnreachableError(error.reason)
      throw error
    }
  }
  /** Reads a list, without the slash at the end of the path if it is not there with it. */
  const read = async (probe: Probe, ids: ServerIds): Promise<Received> => {
    const filled = fillProbe(probe, ids, new Map())
    if (filled === null) return { status: 404, headers: new Headers(), text: '' }
    const bare = filled.path.replace(/\/(?=$|\?)/, '')
    if (refusesSlash) return send(bare, filled)
    const received = await send(filled.path, filled)
    if (received.status !== 404 && !isRedirect(received)) return received
    const second = await send(bare, filled)
    if (!rowsOf(second)) return received
    refusesSlash = received
    return second
  }
  const labels = Object.keys(unknown.keys)
  let ids = unknown
  for (const key of labels) {
    const probe = { key, method: 'GET', path: '/api/projects/?limit=100' }
    const rows = rowsOf(await read(probe, ids))?.filter(({ id }) => isId(id))
    if (!rows) continue
    ids = withRows(rows, ids, options)
    break
  }
  let refusal: Error | null = null
  for (const path of Object.values(lists)) {
    for (const key of labels) {
      const control = { key, method: 'GET', path: `${path}?limit=1` }
      const received = await read(control, ids)
      const rows = rowsOf(received)
      const hasSlash = refusesSlash === null
      const notes = refusesSlash
        ? [
            `The server refuses the slash at the end of a path: with it, it ${outcomeOf(refusesSlash)}.`,
          ]
        : []
      if (rows) return { ids: withMissing(rows, ids), control, hasSlash, notes }
      const shown = fillProbe({ ...control, path }, ids, new Map())?.path ?? path
      refusal ??= refusalOf(received, shown, options)
    }
  }
  throw refusal
}

/** The ids of the project that was chosen, or else of the first one. */
function withRows(
  rows: readonly Row[],
  ids: ServerIds,
  { project, organization }: LocateOptions,
): ServerIds {
  const chosen = rows.find(({ id }) => `${id}` === project) ?? rows[0]
  const org = organization ?? chosen?.organization
  const other = rows.find((row) => isId(row.organization) && row.organization !== org)
  return {
    ...ids,
    project: project ?? `${chosen?.id ?? '@current'}`,
    // A server that does not show its organizations has no plugins, or hides where they are.
    org: isId(org) ? `${org}` : null,
    other: other ? `${other.organization}` : null,
  }
}

/** An id that no row has is of the kind of the others. */
function withMissing(rows: readonly Row[], ids: ServerIds): ServerIds {
  const isText = rows.some(({ id }) => typeof id === 'string')
  return isText ? { ...ids, missing: '018f2b6e-ffff-7000-8000-00000000ffff' } : ids
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

/** The rows of a page. Null for any other response */
function rowsOf({ status, text }: Received): readonly Row[] | null {
  const body = status < 300 ? tryParseJson(text)?.value : undefined
  const isPage = isObject(body) && Array.isArray(body.results)
  return isPage ? (body.results as unknown[]).filter(isObject) : null
}

function isRedirect({ status }: Received): boolean {
  return status >= 300 && status < 400
}

function outcomeOf(received: Received): string {
  const location = received.headers.get('location')
  return isRedirect(received) && location
    ? `redirects to ${location} (${received.status})`
    : `answers with ${received.status}`
}

/** Why a server shows nothing. */
function refusalOf(
  received: Received,
  path: string,
  { project, organization }: LocateOptions,
): Error {
  const { status } = received
  const request = `GET ${path}`
  if (status === 401 || status === 403) {
    return new UsageError(`The server refuses the key for ${request} (${status}). Check --key.`)
  }
  if (isRedirect(received)) {
    return new UnreachableError(
      `The server ${outcomeOf(received)} for ${request}. Pass the address that it redirects to with --target.`,
    )
  }
  if (status >= 500) {
    return new UnreachableError(`The server fails: ${request} returns ${status}. Try again later.`)
  }
  if (status === 404) {
    const isNamed = (project ?? organization) !== undefined
    const cure = isNamed
      ? 'Check --project and --organization'
      : 'Check --target, or set --project and --organization'
    const message = `The server has no rows at ${request} (404). ${cure}.`
    return isNamed ? new UsageError(message) : new UnreachableError(message)
  }
  const got = status < 300 ? `${status} without a list of results` : `${status}`
  return new UnreachableError(
    `The server is another API: ${request} returns ${got}. Check --target.`,
  )
}
