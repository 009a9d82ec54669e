import { type HttpHandler, HttpResponse, http, passthrough } from 'msw'
import { handlerFor } from '../../adapters/msw.ts'
import { pathItems } from '../../api/endpoints.ts'
import { splitSandboxPath } from '../../http/url.ts'
import { matchesPath } from '../../simulator/request-pattern.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { didYouMean } from '../../utils/errors.ts'
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
 * Refuses a request that no other handler answers, and prints what to do. MSW's own message names an option that the
 * user did not set. In a page, MSW would respond with status 500.
 */
export const refuseAll: HttpHandler = http.all('*', ({ request }) => {
  const { origin, pathname } = new URL(request.url)
  return refuse(
    `No handler answers ${request.method} ${origin}${pathname}, so it fails. Add one with simulator.use(…).`,
  )
})

function refuse(message: string): Response {
  console.error(message)
  // MSW makes it the cause of the error of fetch.
  return Object.assign(HttpResponse.error(), { name: 'Error', message })
}

/** Refuses a request of the API that may belong to each of several simulators. */
export function refuseUnclear(simulators: readonly Simulator[]): HttpHandler {
  return handlerFor(
    (request) => simulators.some((simulator) => simulator.match(request.url, request)),
    ({ method, url }) => {
      const { origin, pathname } = new URL(url)
      return refuse(
        `${method} ${origin}${pathname} fails: ${simulators.length} tests run at the same time, and none of them sent it, so the simulator that it belongs to is not known. Send it in a test, or run these tests one after the other.`,
      )
    },
  )
}

/** Never matches. Prints a hint for a misspelt path of the API, and for one below another prefix. */
export const explainUnknownPath: HttpHandler = handlerFor(
  (request) => {
    const { origin, pathname } = new URL(request.url)
    const meant = findPrefixedPath(pathname) ?? findMisspeltPath(pathname)
    if (meant !== null) {
      console.error(
        `The simulator has no operation at ${origin}${pathname}. Did you mean ${meant}?`,
      )
    }
    return false
  },
  () => undefined,
)

/** @example findPrefixedPath('/v1/projects/1/annotations/') // '/api/projects/1/annotations/' */
function findPrefixedPath(path: string): string | null {
  const segments = path.split('/').slice(1)
  const paths = segments.map((_, index) => {
    const rest = segments.slice(index)
    return `/api/${rest.slice(rest[0] === 'api' ? 1 : 0).join('/')}`
  })
  return findKnown(paths, path)
}

/** @example findMisspeltPath('/api/projects/1/annotation/') // '/api/projects/1/annotations/' */
function findMisspeltPath(path: string): string | null {
  const segments = path.split('/')
  const paths = pathItems.map((item) => {
    const pattern = item.path.split('/')
    const meant = segments.map((segment, index) => didYouMean(segment, [pattern[index] ?? '']))
    return segments.map((segment, index) => meant[index] ?? segment).join('/')
  })
  return findKnown(paths, path)
}

/** The first of some paths that the API has, if it is none that was asked for. */
function findKnown(paths: readonly string[], asked: string): string | null {
  const isKnown = (path: string) => pathItems.some((item) => matchesPath(path, item.path))
  return paths.find((path) => path !== asked && isKnown(path)) ?? null
}
