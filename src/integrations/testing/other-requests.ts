import type { HttpHandler } from 'msw'
import { handlerFor } from '../../adapters/msw.ts'
import { pathItems } from '../../api/endpoints.ts'
import { splitSandboxPath } from '../../http/route.ts'
import { matchesPath } from '../../simulator/request-pattern.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { didYouMean } from '../../utils/errors.ts'
import { isLoopback } from '../../utils/network.ts'

/** The MSW handlers of requests that are none of the API. */
export class OtherHandlers {
  /** Lets requests to this machine through, and those without a host, as for a `data:` URL. */
  readonly passthroughLocal: HttpHandler = handlerFor(({ url }) => isLocal(url), passThrough)

  /** Lets requests to the admin API of a server on this machine through, whatever `onUnhandledRequest` of the project says. */
  readonly passthroughAdmin: HttpHandler = handlerFor((request) => {
    const path = splitSandboxPath(new URL(request.url).pathname)
    return isLocal(request.url) && path.path.startsWith('/__admin/')
  }, passThrough)

  /** Never matches. Prints a hint for a misspelt path of the API, for one below another prefix, and for one with an empty segment. */
  readonly explainUnknownPath: HttpHandler = handlerFor(
    (request) => {
      const { origin, pathname } = new URL(request.url)
      const url = `${origin}${pathname}`
      const meant = findMeantPath(pathname)
      if (meant !== null) {
        const guesses = meant === pathname ? [] : [meant]
        if (url.endsWith(meant)) guesses.push(`baseUrl ${url.slice(0, -meant.length)}`)
        console.error(
          `The simulator has no operation at ${url}. Did you mean ${guesses.join(', or ')}?`,
        )
      }
      return false
    },
    () => undefined,
  )

  /**
   * Refuses a request that no other handler answers, and prints what to do. MSW's own message names an option that the
   * user did not set. In a page, MSW would respond with status 500.
   */
  readonly refuseAll: HttpHandler = handlerFor(
    () => true,
    (request) =>
      refuse(`No handler answers ${nameOf(request)}, so it fails. Add one with simulator.use(…).`),
  )
}

/** Whether a URL leads to this machine, or has no host. */
export function isLocal(url: string): boolean {
  const { host, hostname } = new URL(url)
  return host === '' || isLoopback(host) || /^0\.0\.0\.0$|\.localhost$/.test(hostname)
}

/** Whether an operation of the API has the URL, on any origin. */
export function isOfApi(simulator: Simulator, url: string): boolean {
  return simulator.match(url, { url, headers: new Headers() }) !== null
}

/** Why a request of a function that has ended is refused. */
export function afterEnd({ name }: Simulator): string {
  const ended = name === null ? 'The function' : `The test ${JSON.stringify(name)}`
  return `${ended} had ended when its code sent it. Await it before the end, or abort it.`
}

/** Refuses the requests to the API of a function that has ended: it would change the world of another, or leave this machine. */
export function refuseLate(simulator: Simulator): HttpHandler {
  return handlerFor(
    ({ url }) => isOfApi(simulator, url),
    (request) => refuse(`${nameOf(request)} was refused. ${afterEnd(simulator)}`),
  )
}

/**
 * Lets a page send nothing more: a policy of its document decides, also about a `fetch` that it kept. A worker has its own
 * policy, and ends. A browser calls it alone, so it uses nothing of this file.
 */
export function forbidRequests(): void {
  const policy = {
    httpEquiv: 'Content-Security-Policy',
    content: "connect-src 'none'; form-action 'none'",
  }
  if (!('document' in globalThis)) close()
  else document.head.append(Object.assign(document.createElement('meta'), policy))
}

/** Loads MSW on demand, since few requests go through. */
async function passThrough(): Promise<Response> {
  return (await import('msw')).passthrough()
}

/** How messages name a request: without its query, which can have a key. */
export function nameOf({ method, url }: Pick<Request, 'method' | 'url'>): string {
  const { origin, pathname } = new URL(url)
  return `${method} ${origin}${pathname}`
}

function refuse(message: string): Response {
  console.error(message)
  // MSW makes it the cause of the error of fetch.
  return Object.assign(Response.error(), { name: 'Error', message })
}

/** Refuses a request of the API that may belong to each of several simulators. */
export function refuseUnclear(simulators: readonly Simulator[]): HttpHandler {
  return handlerFor(
    (request) => simulators.some((simulator) => simulator.match(request.url, request)),
    (request) =>
      refuse(
        `${nameOf(request)} fails: ${simulators.length} tests run at the same time, and none of them sent it, so the simulator that it belongs to is not known. Send it in a test, or run these tests one after the other.`,
      ),
  )
}

/** The path of an operation that resembles one that the API lacks. Of the paths outside `/api`, few are meant for the API. */
function findMeantPath(asked: string): string | null {
  const prefixed = withoutPrefixes(asked)
  const misspelt = [asked, ...(/\/api\//i.test(asked) ? prefixed : [])].flatMap(withoutMistakes)
  const isKnown = (path: string) => pathItems.some((item) => matchesPath(path, item.path))
  // Outside baseUrl, the path of an operation is unknown, too. Paths with empty segments are corrected.
  const isOther = (path: string) => path !== asked || !asked.includes('//')
  return [...prefixed, ...misspelt].find((path) => isOther(path) && isKnown(path)) ?? null
}

/** @example withoutPrefixes('/v1/projects/') // ['/api/v1/projects/', '/api/projects/', '/api/'] */
function withoutPrefixes(path: string) {
  const segments = path.split('/').slice(1)
  return segments.map((_, index) => {
    const rest = segments.slice(index)
    return `/api/${rest.slice(rest[0] === 'api' ? 1 : 0).join('/')}`
  })
}

/**
 * A path with the words of each operation in place of similar ones, and its parameters in place of empty ones. The project
 * or organization of a list is added if it is left out, as in `/api/annotations/`.
 *
 * @example withoutMistakes('/api/projects//annotation/') // ['/api/projects/:project_id/annotations/', …]
 */
function withoutMistakes(path: string) {
  const [root = '', api = '', ...rest] = path.split('/')
  return pathItems.map((item) => {
    const pattern = item.path.split('/')
    const owner = rest.length > 0 && rest[0] === pattern[4] ? pattern.slice(2, 4) : []
    const segments = [root, api, ...owner, ...rest]
    const corrected = segments.map((segment, index) => {
      const word = pattern[index] ?? ''
      const isEmpty = segment === '' && index < segments.length - 1
      if (isEmpty && word.startsWith(':')) return word
      return didYouMean(segment, [word]) ?? segment
    })
    return corrected.join('/')
  })
}
