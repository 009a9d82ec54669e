import { UsageError } from '../utils/errors.ts'
import { isObject, tryParseJson } from '../utils/json.ts'
import { UnreachableError } from '../utils/network.ts'
import { fillProbe, type ServerIds } from './fill-probe.ts'
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

const projects = '/api/projects/'

/**
 * Finds the project and the organization: those of the options, else the first ones that the server lists.
 *
 * @throws UsageError if the server refuses the keys
 * @throws UnreachableError if it is another API, or fails
 */
export async function locate(options: LocateOptions, sender: ProbeSender): Promise<Located> {
  return new Locator(options, sender).run()
}

class Locator {
  readonly #options: LocateOptions
  readonly #sender: ProbeSender
  #hasSlash = true
  #ids: ServerIds

  constructor(options: LocateOptions, sender: ProbeSender) {
    this.#options = options
    this.#sender = sender
    const { keys, project = '@current', organization = '@current', marker } = options
    this.#ids = {
      project,
      org: organization,
      other: null,
      missing: '99999999',
      marker,
      keys: Object.fromEntries(keys.map(({ label, value }) => [label, value])),
    }
  }

  async run(): Promise<Located> {
    await this.#findIds()
    let refusal: { readonly received: Received; readonly path: string } | null = null
    for (const path of Object.values(lists)) {
      for (const key of Object.keys(this.#ids.keys)) {
        const probe = { key, method: 'GET', path: `${path}?limit=1` }
        const received = await this.#readList(probe)
        const rows = rowsOf(received)
        if (rows) return this.#found(probe, rows)
        refusal ??= { received, path: this.#shown(probe).split('?')[0] as string }
      }
    }
    const { received, path } = refusal as { readonly received: Received; readonly path: string }
    throw refusalOf(received, path, this.#options)
  }

  async #findIds(): Promise<void> {
    const { project, organization } = this.#options
    for (const key of Object.keys(this.#ids.keys)) {
      const received = await this.#readList({ key, method: 'GET', path: `${projects}?limit=100` })
      const rows = rowsOf(received)?.filter(({ id }) => isId(id))
      if (!rows) continue
      const chosen = rows.find(({ id }) => `${id}` === project) ?? rows[0]
      const org = organization ?? chosen?.organization
      const other = rows.find((row) => isId(row.organization) && row.organization !== org)
      this.#ids = {
        ...this.#ids,
        project: project ?? `${chosen?.id ?? '@current'}`,
        // A server that does not show its organizations has no plugins, or hides where they are.
        org: isId(org) ? `${org}` : null,
        other: other ? `${other.organization}` : null,
      }
      return
    }
  }

  async #found(control: Probe, rows: readonly Record<string, unknown>[]): Promise<Located> {
    const isText = rows.some(({ id }) => typeof id === 'string')
    const missing = isText ? '018f2b6e-ffff-7000-8000-00000000ffff' : this.#ids.missing
    const other = await this.#send(control, !this.#hasSlash)
    const [needs, with_] = this.#hasSlash ? ['needs', 'without'] : ['refuses', 'with']
    const notes = rowsOf(other)
      ? []
      : [`The server ${needs} the slash at the end of a path: ${with_} it, it ${outcomeOf(other)}.`]
    return { ids: { ...this.#ids, missing }, control, hasSlash: this.#hasSlash, notes }
  }

  /** Reads a list, a second time if it fails, and without the slash at the end of the path if that is another path. */
  async #readList(probe: Probe): Promise<Received> {
    const received = await this.#send(probe, this.#hasSlash)
    if (rowsOf(received)) return received
    const isOtherPath = received.status === 404 || isRedirect(received)
    const second = await this.#send(probe, isOtherPath ? !this.#hasSlash : this.#hasSlash)
    if (!rowsOf(second)) return received
    if (isOtherPath) this.#hasSlash = !this.#hasSlash
    return second
  }

  async #send(probe: Probe, hasSlash: boolean): Promise<Received> {
    const filled = fillProbe(probe, this.#ids, new Map())
    if (filled === null) return { status: 404, headers: new Headers(), text: '' }
    const { method, path, headers } = filled
    const shown = hasSlash ? path : path.replace(/\/(?=$|\?)/, '')
    try {
      return await this.#sender.send(this.#options.url.replace(/\/+$/, '') + shown, {
        method,
        headers,
      })
    } catch (error) {
      if (error instanceof Ended) throw new UnreachableError(error.reason)
      throw error
    }
  }

  #shown(probe: Probe): string {
    return fillProbe(probe, this.#ids, new Map())?.path ?? probe.path
  }
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

/** The rows of a page. Null for any other response. */
function rowsOf({ status, text }: Received): Record<string, unknown>[] | null {
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
  if (status === 404 && (project ?? organization) !== undefined) {
    return new UsageError(
      `The server has no rows at ${request} (404). Check --project and --organization.`,
    )
  }
  if (status === 404) {
    return new UnreachableError(
      `The server has no rows at ${request} (404). Check --target, or set --project and --organization.`,
    )
  }
  const got = status < 300 ? `${status} without a list of results` : `${status}`
  return new UnreachableError(
    `The server is another API: ${request} returns ${got}. Check --target.`,
  )
}
