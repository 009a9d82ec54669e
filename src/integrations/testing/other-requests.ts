import { type HttpHandler, HttpResponse, http, passthrough } from 'msw'
import { handlerFor } from '../../adapters/msw.ts'
import { pathItems } from '../../api/endpoints.ts'
import { splitSandboxPath } from '../../http/url.ts'
import { matchesPath } from '../../simulator/request-pattern.ts'
import { isLoopback } from '../../utils/network.ts'

/** Lets requests to this machine through, and those without a host, as for a `data:` URL. */
export const passthroughLocal: HttpHandler = handlerFor(
  (request) => {
    const { host } = new URL(request.url)
    return host === '' || isLoopback(host)
  },
  () => passthrough(),
)

/** Lets requests to the control API of a server on this machine through, whatever `onUnhandledRequest` of the project says. */
export const passthroughControl: HttpHandler = handlerFor(
  (request) => {
    const { host, pathname } = new URL(request.url)
    return isLoopback(host) && splitSandboxPath(pathname).path.startsWith('/__admin/')
  },
  () => passthrough(),
)

/**
 * Fails what no handler before it answers, and says so. MSW's own error names options of MSW that nobody set here, and in
 * a page it would be a response with status 500.
 */
export const refuseAll: HttpHandler = http.all('*', ({ request }) => {
  const { origin, pathname } = new URL(request.url)
  const message = `No handler answers ${request.method} ${origin}${pathname}, so it fails. Add one with simulator.use(…).`
  console.error(message)
  // MSW makes it the cause of the error of fetch.
  return Object.assign(HttpResponse.error(), { name: 'Error', message })
})

/** Never matches. Prints a hint for a path of the API below another prefix, which the simulator does not handle. */
export const explainUnknownPath: HttpHandler = handlerFor(
  (request) => {
    const { origin, pathname } = new URL(request.url)
    const meant = findPrefixedPath(pathname)
    if (meant !== null) {
      console.error(
        `The simulator has no operation at ${origin}${pathname}. Did you mean ${meant}?`,
      )
    }
    return false
  },
  () => {},
)

/** @example findPrefixedPath('/v1/projects/1/annotations/') // '/api/projects/1/annotations/' */
function findPrefixedPath(path: string): string | null {
  const segments = path.split('/').slice(1)
  const paths = segments.map((_, index) => {
    const rest = segments.slice(index)
    return `/api/${rest.slice(rest[0] === 'api' ? 1 : 0).join('/')}`
  })
  const isKnown = (one: string) => pathItems.some((item) => matchesPath(one, item.path))
  return paths.find((one) => one !== path && isKnown(one)) ?? null
}
