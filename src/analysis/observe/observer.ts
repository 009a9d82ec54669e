import type { PolicyId } from '../../policies/policies.ts'
import { isObject } from '../../utils/json.ts'
import { Keys } from './keys.ts'
import { OwnRows } from './own-rows.ts'
import { PoliteSender, type SenderOptions } from './polite-sender.ts'
import {
  type Answer,
  type ErrorForm,
  errorForm,
  type ObserverKey,
  paths,
  type SentOptions,
  Unclear,
} from './requests.ts'

export interface ObserverOptions extends SenderOptions {
  /** The base URL of the server */
  readonly url: string
  readonly keys: readonly ObserverKey[]
  readonly project?: string
  readonly organization?: string
  readonly allowWrites: boolean
  /** A text that the rows of the observation contain, and no others */
  readonly marker: string
}

/** Encodes an id for a path. `@current` stays as it is. */
export function pathSegment(id: string): string {
  return encodeURIComponent(id).replace('%40', '@')
}

/** What an observation knows of its server: where its rows are, and how it responds in general. */
export class Observer {
  readonly options: ObserverOptions
  readonly keys: Keys
  readonly sender: PoliteSender
  readonly own: OwnRows
  /** The values that were found so far */
  readonly found: Map<PolicyId, string | number> = new Map()
  /** The forms of the errors of this server. Another one comes from something in between, such as a proxy. */
  readonly errorForms: Set<ErrorForm> = new Set()
  /** The number of requests when the server last returned JSON with a success */
  lastSuccess = 0
  /** What the server does that no policy has, as sentences */
  readonly notes: string[] = []
  /** An organization without plugins, or with others */
  otherOrganization: string | null = null
  readonly #working = new Set<string>()
  /** How many projects the server has listed. Null without a list */
  #listed: number | null = null
  /** The status with which the server refused the keys for the list of projects */
  #refusal: number | null = null
  /** The status of the latest request for the list of projects */
  #listStatus = 0
  /** Whether paths end with a slash. Some servers have them only without it */
  #hasSlash = true
  #project = '@current'
  #organization = '@current'

  constructor(options: ObserverOptions) {
    this.options = options
    this.keys = new Keys(options.keys)
    this.sender = new PoliteSender(options)
    this.own = new OwnRows(this)
  }

  /** Whether paths end with a slash. */
  get hasSlash(): boolean {
    return this.#hasSlash
  }

  /** The id for paths. */
  get project(): string {
    return this.#project
  }

  get organization(): string {
    return this.#organization
  }

  /** Whether a request with the key has succeeded. */
  isWorking({ label }: ObserverKey): boolean {
    return this.#working.has(label)
  }

  /** Finds the project and the organization: those of the options, else the first ones of the list of projects. */
  async locate(): Promise<void> {
    const { project, organization } = this.options
    const listed = (await this.#listProjects()).filter(hasId)
    const chosen = listed.find(({ id }) => String(id) === project) ?? listed[0]
    const id = project ?? chosen?.id
    if (id !== undefined) this.#project = String(id)
    const parent = organization ?? chosen?.organization
    if (typeof parent === 'string') this.#organization = parent
    const other = listed.find((row) => row.organization !== this.#organization)?.organization
    this.otherOrganization = typeof other === 'string' ? other : null
  }

  async #listProjects(): Promise<Record<string, unknown>[]> {
    for (const key of new Set([this.keys.find('all'), this.keys.find('old'), ...this.keys.all])) {
      if (!key) continue
      const answer = await this.requestList(paths.projects, { key, query: { limit: 100 } })
      this.#listStatus = answer.status
      if (isPage(answer)) {
        const rows = answer.body.results.filter(isObject)
        this.#listed = rows.length
        return rows
      }
      if (answer.status === 401 || answer.status === 403) this.#refusal ??= answer.status
      // Each key would get the same status, unless it lacks the scope.
      if (![403, 404].includes(answer.status)) break
    }
    return []
  }

  /** Reads a list. If its path is unknown or moved, tries it without the trailing slash, and from then on all others. */
  async requestList(path: string, options: SentOptions): Promise<Answer> {
    const answer = await this.request(path, options)
    if (answer.status !== 404 && !isRedirect(answer)) return answer
    const other = await this.#requestOther(path, options)
    if (!isPage(other)) return answer
    this.#hasSlash = !this.#hasSlash
    return other
  }

  /** Notes whether the server needs the trailing slash, or refuses it. @param path of a list that is readable */
  async noteSlash(path: string, options: SentOptions): Promise<void> {
    const answer = await this.#requestOther(path, options)
    if (answer.status !== 404 && !isRedirect(answer)) return
    const start = this.#hasSlash
      ? 'needs the trailing slash: without'
      : 'refuses the trailing slash: with'
    this.notes.push(`The server ${start} it, GET ${this.shownPath(path)} ${describeMove(answer)}.`)
  }

  /** Sends a request to a path with a trailing slash if others have none, and without it if others have one. */
  async #requestOther(path: string, options: SentOptions): Promise<Answer> {
    this.#hasSlash = !this.#hasSlash
    try {
      return await this.request(path, options)
    } finally {
      this.#hasSlash = !this.#hasSlash
    }
  }

  /** A path as it is sent, with its names in place of ids. */
  shownPath(path: string): string {
    return this.hasSlash ? path : path.replace(/\/$/, '')
  }

  /** Replaces the names in a path by ids. */
  fillPath(path: string, id: number | string = ''): string {
    return path
      .replace(':project_id', pathSegment(this.#project))
      .replace(':organization_id', pathSegment(this.#organization))
      .replace(':other_organization_id', encodeURIComponent(this.otherOrganization ?? ''))
      .replace(':id', encodeURIComponent(id))
  }

  /** Why a server whose list is not readable shows nothing, as a sentence. Null if it is one, or the server failed */
  refusalOf(path: string, answer: Answer): string | null {
    const { status } = answer
    const { project, organization } = this.options
    if (status >= 500 || isPage(answer)) return null
    const isProject = path === paths.annotations
    const chosen = isProject ? project : (organization ?? project)
    const kind = isProject || organization === undefined ? 'project' : 'organization'
    const isListed = this.#listed !== null
    const hint =
      this.#refusal === null
        ? ''
        : ` The server also refused the key for GET ${paths.projects} (${this.#refusal}). Check --key.`
    const request = `GET ${this.fillPath(this.shownPath(path))}`
    const isOther = 'The server does not respond like this API:'
    if (isRedirect(answer)) {
      return `The server redirects: ${request} ${describeMove(answer)}.${hint}`
    }
    if (status === 401 || (status === 403 && (!isListed || chosen === undefined)))
      return `The key was refused (${status}).`
    if (status === 403) return `The key was refused for the ${kind} ${chosen} (403).`
    if (status !== 404)
      return `${isOther} ${request} returned ${status}${status === 200 ? ' without a page' : ''}.${hint}`
    const isApi = isListed || ['envelope', 'detail', 'list'].includes(errorForm(answer))
    if (chosen !== undefined) {
      return isApi
        ? `The server has no ${kind} ${chosen}.`
        : `${isOther} ${request} returned 404. Check --target and --${kind}.${hint}`
    }
    if (this.#listed === 0) return 'The list of projects is empty. Name a project with --project.'
    if (isListed) return `The server lists a project, but ${request} returned 404.`
    const start = isApi ? 'The server shows' : `${isOther} it shows`
    return `${start} no list of projects (GET ${this.shownPath(paths.projects)} returned ${this.#listStatus}), and ${request} returned 404. Name a project with --project, and an organization with --organization.${hint}`
  }

  /** Sends a request whatever its response is. @throws Unclear without a response */
  async request(
    path: string,
    { method = 'GET', query, key = null, headers, body, raw, id = '' }: SentOptions,
    isCleanUp = false,
  ): Promise<Answer> {
    const parameters = query ? `?${new URLSearchParams(toTexts(query))}` : ''
    const value = typeof key === 'string' ? key : key?.value
    const init: RequestInit = {
      method,
      headers: {
        accept: 'application/json',
        ...(value !== undefined && { authorization: `Bearer ${value}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(raw !== undefined && { body: raw }),
    }
    const url = `${this.options.url.replace(/\/*$/, '')}${this.fillPath(this.shownPath(path), id)}${parameters}`
    const answer = await this.sender.send(url, init, isCleanUp)
    const isSuccess = answer.status >= 200 && answer.status < 300
    if (isSuccess && typeof key === 'object' && key) this.#working.add(key.label)
    if (isSuccess && typeof answer.body === 'object') this.lastSuccess = this.sender.count
    return answer
  }

  /** @throws Unclear for a response that a proxy or a broken server may have sent */
  checkForm(answer: Answer, path: string): Answer {
    const { status, body } = answer
    if (status === 204) return answer
    if (status >= 500) throw new Unclear(`The server failed with ${status}.`)
    if (isRedirect(answer)) throw new Unclear(`The server ${describeMove(answer)}.`)
    if (status < 300 && (typeof body !== 'object' || body === null)) {
      throw new Unclear(`A response with ${status} was not JSON.`)
    }
    if (status >= 400 && !this.errorForms.has(errorForm(answer))) {
      throw new Unclear(
        status === 404
          ? `The path ${this.shownPath(path)} returns 404, in another form than a missing row.`
          : `A response with ${status} had another form than the errors of this server.`,
      )
    }
    return answer
  }
}

function toTexts(query: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
}

function isPage(answer: Answer): answer is Answer & { body: { results: unknown[] } } {
  const { status, body } = answer
  return status === 200 && isObject(body) && Array.isArray(body.results)
}

/** A server can send anything in place of an id, also what has no text. */
function hasId({ id }: Record<string, unknown>): boolean {
  return typeof id === 'number' || typeof id === 'string'
}

function isRedirect({ status }: Answer): boolean {
  return status >= 300 && status < 400
}

/** What a server does in place of an answer, as a clause. A query may have secrets, so it is left out */
function describeMove({ status, headers }: Answer): string {
  const location = headers.get('location')
  if (status === 404 || location === null) return `returns ${status}`
  return `redirects to ${location.replace(/[?#].*/s, '')} (${status})`
}
