import { distance } from 'fastest-levenshtein'
import { withoutCredentials } from '../../adapters/har/parse-entry.ts'
import { endpoints } from '../../api/endpoints.ts'
import { suggestEndpoints } from '../../http/unknown-path.ts'
import { apiPath, requestTarget } from '../../http/url.ts'
import { resolvePolicies } from '../../policies/settings.ts'
import { isObject } from '../../utils/json.ts'

/** An archive has many entries, and to compare paths takes time. */
const maxCompared = 1_000

/** The entry whose URL is most similar to a path of the API. */
export class NearestRequest {
  #nearest: { readonly request: string; readonly route: string; readonly letters: number } | null =
    null
  #compared = 0

  add(entry: unknown): void {
    const request = isObject(entry) ? entry.request : null
    const { method, ...sent } = isObject(request) ? request : {}
    const url = withoutCredentials(sent.url)
    if (typeof method !== 'string' || typeof url !== 'string' || !/^https?:/i.test(url)) return
    this.#compared += 1
    if (this.#compared > maxCompared) return
    if (isObject(entry) && /^(?:script|stylesheet|image|font)$/.test(String(entry._resourceType)))
      return
    const [address = ''] = url.split(/[?#]/)
    const path = apiPath(requestTarget(address))
    const [suggestion] = suggestEndpoints(method, path, endpoints, settings)
    if (!suggestion) return
    const { route } = suggestion
    const letters = distance(`${method} ${path.replace(/\/$/, '')}`, fillRoute(route, path))
    // Half of the letters would be another API.
    if (letters * 2 > route.length || (this.#nearest && this.#nearest.letters <= letters)) return
    this.#nearest = { request: `${method} ${address}`, route, letters }
  }

  describe(): string {
    if (!this.#nearest) return ''
    const { request, route } = this.#nearest
    return ` Nearest: ${request} resembles ${route}/.`
  }
}

const settings = resolvePolicies('live')

/** A route with the parameters of a path. @example fillRoute('GET /api/projects/:id', '/api/project/7') */
function fillRoute(route: string, path: string): string {
  const actual = path.split('/')
  const filled = route
    .split('/')
    .map((segment, index) => (segment.startsWith(':') ? (actual[index] ?? segment) : segment))
  return filled.join('/')
}
