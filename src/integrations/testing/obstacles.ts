import { readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { UsageError } from '../../utils/errors.ts'
import { hasNock } from './other-interceptors.ts'

/** How requests are intercepted now. */
interface Intercepted {
  /** The `fetch` whose requests are intercepted */
  readonly fetch: typeof fetch
  /** Whether another library intercepted requests before */
  readonly isSecond: boolean
}

/** Finds what can keep requests from being intercepted: a sentence with the cure for each. */
export function findObstacles({ fetch, isSecond }: Intercepted): string[] {
  return [
    findReplacedFetch(fetch),
    findMockAgent(),
    findProxy(),
    findSecondMsw() ?? (isSecond ? secondInterception() : null),
  ].flatMap((obstacle) => obstacle ?? [])
}

/** The clients that MSW does not intercept in this runtime, in a sentence. */
export function otherClients(): string {
  const { bun, deno } = process.versions
  const imports = "`import { get } from 'node:http'`, `import * as http`"
  const more = bun ? `, node-fetch, ${imports}` : deno ? `, ${imports}` : ''
  return `Requests of these are not intercepted: the package undici, node:http2${more}. Send them with fetch, or to a server: the fixture server, or exec.`
}

function findReplacedFetch(intercepted: typeof fetch): string | null {
  // MSW intercepts the fetch of this environment, which then fails by itself.
  if (Reflect.get(globalThis, '__NUXT_VITEST_ENVIRONMENT__')) {
    return 'The environment of @nuxt/test-utils replaces fetch, so that requests of fetch and $fetch are not intercepted. Run the tests beside a server, and send the requests to UNDERSTUDY_URL: npx understudy-api exec -- npx vitest run'
  }
  const { fetch } = globalThis
  const isMock = typeof fetch === 'function' && 'mock' in fetch
  if (fetch === intercepted && !isMock) return null
  const name = (isMock ? 'a mock function' : fetch?.name) || 'another function'
  return `globalThis.fetch was replaced by ${name}, so that its requests are not intercepted. Remove the replacement for these tests, and add MSW handlers with simulator.use(…).`
}

/** The global dispatcher of undici. Its requests are not intercepted; those of the global `fetch` are. */
function findMockAgent(): string | null {
  const dispatcher = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'))
  if (dispatcher?.constructor?.name !== 'MockAgent') return null
  return 'The global dispatcher of undici is a MockAgent, which answers requests of the package undici. The simulator does not intercept this package: send the requests of these tests with the global fetch.'
}

/** Clients that use a proxy address their requests to it, in a form that MSW refuses with "Invalid URL". */
function findProxy(): string | null {
  const name = proxyVariables.find((variable) => process.env[variable])
  if (name === undefined) return null
  return `${name} is set, so clients such as axios send their requests to a proxy, and the simulator does not get them: the client may fail with "Invalid URL". Run the tests with NO_PROXY='*', or unset ${name}.`
}

const proxyVariables = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY']

/** What to do about another library that intercepts requests, and comes first. */
export function secondInterception(): string {
  return hasNock()
    ? 'nock intercepts requests before the simulator does. If it refuses them, allow the hosts of your client: nock.enableNetConnect("app.example.com"). If it answers them, remove its interceptors: nock.cleanAll().'
    : 'Another library intercepted requests before the simulator did, such as a second copy of msw. Run npm ls msw, and import setupServer from the same msw as your tests.'
}

/**
 * Checks that the installed msw works with this version of Node, which MSW itself does not.
 *
 * @throws UsageError for msw 3 before Node 22
 */
export function checkMsw(from: string = import.meta.url, promise: object = Promise): void {
  if ('withResolvers' in promise) return
  const version = mswVersion(from)
  if (Number.parseInt(version, 10) < 3 || version === '') return
  throw new UsageError(
    `msw ${version} needs Node 22 or newer, and this is Node ${process.versions.node}. Update Node, or install msw 2: npm install --save-dev msw@2`,
  )
}

/** The version of msw that this package uses. Empty if its files are not found, as in a bundle */
export function mswVersion(from: string = import.meta.url): string {
  return findMsw(from)?.version ?? ''
}

/** Two copies intercept on their own, and the first one answers. */
function findSecondMsw(): string | null {
  const [own, other] = [import.meta.url, join(process.cwd(), 'package.json')].map(findMsw)
  if (!own || !other || own.path === other.path) return null
  return `There are two copies of msw: this package uses ${own.version} in ${own.path}, and the project uses ${other.version} in ${other.path}. Run npm ls msw, install one version for both, then run npm dedupe.`
}

function findMsw(from: string): { readonly path: string; readonly version: string } | null {
  try {
    const path = realpathSync(createRequire(from).resolve('msw/package.json'))
    return { path, version: JSON.parse(readFileSync(path, 'utf8')).version }
  } catch {
    return null
  }
}
