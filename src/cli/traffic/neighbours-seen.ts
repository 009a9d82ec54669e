import { classifyEntry } from '../../adapters/har/parse-entry.ts'
import { findHeader } from '../../http/exchange.ts'
import { parseNeighbours } from '../../sandbox/neighbours.ts'
import type { NeighboursJson } from '../../sandbox/simulator-options.ts'
import { tryParseJson } from '../../utils/foreign-json.ts'
import { isObject, type Json } from '../../utils/json.ts'

type Response = NeighboursJson['responses'][string]

/** What a page loads to be shown, rather than to show data. */
const ofPage = /^(?:document|stylesheet|script|image|font|media|manifest|ping|preflight|websocket)$/

/**
 * Collects fixed responses for the requests that a page sent to the host of the API, and not to the API. The first
 * response to a method and a path is kept, without its query.
 */
export class NeighboursSeen {
  readonly #base: string
  readonly #findBase: (url: string) => string | null
  readonly #responses = new Map<string, Response>()

  /**
   * @param base the base URL of the API
   * @param findBase returns null for a URL outside the API
   */
  constructor(base: string, findBase: (url: string) => string | null) {
    this.#base = base
    this.#findBase = findBase
  }

  /** Adds an entry of an archive, unless it is a request to the API. */
  add(entry: unknown): void {
    const request = isObject(entry) ? entry.request : null
    const url = isObject(request) ? String(request.url) : ''
    if (!url.startsWith(`${this.#base}/`) || this.#findBase(url) !== null) return
    if (isObject(entry) && ofPage.test(String(entry._resourceType ?? ''))) return
    const classified = classifyEntry(entry, [], () => this.#base)
    if (!('exchange' in classified)) return
    const { method, response } = classified.exchange
    const [path = ''] = url.slice(this.#base.length).split(/[?#]/)
    const route = `${method} ${path}`
    if (this.#responses.has(route) || response.status < 200 || response.status > 599) return
    const { body, headers, status } = response
    const type = findHeader(headers, 'content-type') ?? ''
    if (body && !('text' in body)) return
    if (/javascript|css|html|image|font/.test(type)) return
    const text = body?.text ?? ''
    const json = tryParseJson(text)
    const added: Response = {
      ...(status !== 200 && { status }),
      ...(!json && text !== '' && type !== '' && { headers: { 'content-type': type } }),
      ...(text !== '' && { body: json ? (json.value as Json) : text }),
    }
    if (isValid(route, added)) this.#responses.set(route, added)
  }

  get size(): number {
    return this.#responses.size
  }

  toJSON(): NeighboursJson {
    return { responses: Object.fromEntries(this.#responses) }
  }
}

/** Some paths are patterns that mean something else, and some headers cannot be sent. */
function isValid(route: string, response: Response): boolean {
  if (/[:*()+{}]/.test(route)) return false
  try {
    parseNeighbours({ responses: { [route]: response } })
    return true
  } catch {
    return false
  }
}
