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
  /** An organization without plugins, or with others */
  otherOrganization: string | null = null
  readonly #working = new Set<string>()
  /** Whether the server has returned a list of projects */
  #isListed = false
  #project = '@current'
  #organization = '@current'

  constructor(options: ObserverOptions) {
    this.options = options
    this.keys = new Keys(options.keys)
    this.sender = new PoliteSender(options)
    this.own = new OwnRows(this)
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
    const listed = (await this.#listProjects()).filter(({ id }) => id !== undefined)
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
      const { status, body } = await this.request(paths.projects, { key, query: { limit: 100 } })
      const results = isObject(body) ? body.results : null
      this.#isListed = status === 200 && Array.isArray(results)
      if (this.#isListed) return (results as unknown[]).filter(isObject)
      // Each key would get the same status, unless it lacks the scope.
      if (![403, 404].includes(status)) break
    }
    return []
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
    const { status, body } = answer
    const { project, organization } = this.options
    if (status >= 500 || (status === 200 && isObject(body) && Array.isArray(body.results)))
      return null
    const isProject = path === paths.annotations
    const chosen = isProject ? project : (organization ?? project)
    const kind = isProject || organization === undefined ? 'project' : 'organization'
    const place = chosen === undefined ? `${kind} for this key` : `${kind} ${chosen}`
    if (status === 401 || (status === 403 && (!this.#isListed || chosen === undefined)))
      return `The key was refused (${status}).`
    if (status === 403) return `The key was refused for the ${place} (403).`
    const isApi = this.#isListed || ['envelope', 'detail', 'list'].includes(errorForm(answer))
    return status === 404 && isApi ? `The server has no ${place}.` : 'The server is not this API.'
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
    const url = `${this.options.url.replace(/\/*$/, '')}${this.fillPath(path, id)}${parameters}`
    const answer = await this.sender.send(url, init, isCleanUp)
    const isSuccess = answer.status >= 200 && answer.status < 300
    if (isSuccess && typeof key === 'object' && key) this.#working.add(key.label)
    if (isSuccess && typeof answer.body === 'object') this.lastSuccess = this.sender.count
    return answer
  }

  /** @throws Unclear for a response that a proxy or a broken server may have sent */
  checkForm(answer: Answer): Answer {
    const { status, body } = answer
    if (status === 204) return answer
    if (status >= 500) throw new Unclear(`The server failed with ${status}.`)
    if (status >= 300 && status < 400) throw new Unclear(`The server redirects (${status}).`)
    if (status < 300 && (typeof body !== 'object' || body === null)) {
      throw new Unclear(`A response with ${status} was not JSON.`)
    }
    if (status >= 400 && !this.errorForms.has(errorForm(answer))) {
      throw new Unclear(
        `A response with ${status} had another form than the errors of this server.`,
      )
    }
    return answer
  }
}

function toTexts(query: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
}
