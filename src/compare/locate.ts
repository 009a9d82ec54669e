import { UsageError } from '../utils/errors.ts'
import { isObject, tryParseJson } from '../utils/json.ts'
import { UnreachableError } from '../utils/network.ts'
import { fillProbe, type ServerIds } from './fill-probe.ts'
import type { ComparedKey } from './keys.ts'
import { isId, lists, type Probe } from './probes.ts'
import { Ended, type ProbeSender, type Received } from './sender.ts'

export interface LocateOptions extends Pick<ServerIds, 'marker'> {
  /** The base URL of the server */
  readonly url: string
  /** The one that may do most first */
  readonly keys: readonly ComparedKey[]
  readonly project?: string | undefined
  readonly organization?: string | undefined
}

interface Located {
  readonly ids: ServerIds
  /** A request that works */
  readonly control: Probe
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
  let ids: ServerIds = {
    project: project ?? '@current',
    org: organization ?? '@current',
    other: null,
    missing: '99999999',
    marker,
    keys: Object.fromEntries(keys.map(({ label, value }) => [label, value])),
  }
  const read = async (probe: Probe) => {
    const filled = fillProbe(probe, ids, new Map())
    if (filled === null) return { status: 404, headers: new Headers(), text: '' }
    const { path, method, headers } = filled
    return sender.send(url.replace(/\/+$/, '') + path, { method, headers }).catch((error) => {
      throw error instanceof Ended ? new UnreachableError(error.reason) : error
    })
  }
  const labels = Object.keys(ids.keys)
  for (const key of labels) {
    const rows = rowsOf(await read({ key, method: 'GET', path: '/api/projects/?limit=100' }))
    const known = rows?.filter(({ id }) => isId(id))
    if (!known) continue
    ids = withRows(known, ids, options)
    break
  }
  let refusal: Error | null = null
  for (const path of Object.values(lists)) {
    for (const key of labels) {
      const control = { key, method: 'GET', path: `${path}?limit=1` }
      const received = await read(control)
      const rows = rowsOf(received)
      if (rows) return { ids, control }
      const shown = fillProbe({ ...control, path }, ids, new Map())?.path ?? path
      refusal ??= refusalOf(received, shown)
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

/** The rows of a page. Null for any other response */
function rowsOf({ status, text }: Received): readonly Row[] | null {
  const body = status < 300 ? tryParseJson(text)?.value : undefined
  const isPage = isObject(body) && Array.isArray(body.results)
  return isPage ? (body.results as unknown[]).filter(isObject) : null
}

function refusalOf({ status, headers }: Received, path: string): Error {
  const request = `GET ${path}`
  if (status === 401 || status === 403) {
    return new UsageError(`The server refuses the key for ${request} (${status}). Check --key.`)
  }
  const location = status < 400 ? headers.get('location') : null
  const got = status < 300 ? 'without a list of results' : location === null ? '' : `to ${location}`
  const cure = status < 500 ? 'Check --target, --project and --organization.' : 'Try again later.'
  return new UnreachableError(
    `The server does not show its rows: ${request} returns ${`${status} ${got}`.trim()}. ${cure}`,
  )
}
