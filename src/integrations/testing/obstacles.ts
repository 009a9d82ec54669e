import { readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { UsageError } from '../../utils/errors.ts'

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
    findSecondMsw() ?? (isSecond ? secondInterception : null),
  ].flatMap((found) => found ?? [])
}

function findReplacedFetch(intercepted: typeof fetch): string | null {
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

export const secondInterception =
  'Another library intercepted requests before the simulator did: a second copy of msw, or nock. Run npm ls msw nock, and import setupServer from the same msw as your tests.'

/** Whether a library intercepts requests with the interceptors of MSW, which leave these traces. */
export function hasInterceptors(): boolean {
  const names = Object.getOwnPropertySymbols(globalThis).map(({ description }) => description)
  // That of msw 3.
  const registry: unknown = Reflect.get(globalThis, '__MSW_INTERCEPTORS_REGISTRY')
  const interceptors = registry instanceof Map ? [...registry.values()] : []
  return (
    names.includes('fetch-interceptor') ||
    names.includes('client-request-interceptor') ||
    interceptors.some(({ readyState }) => readyState === 'ACTIVE')
  )
}

/**
 * Checks that the installed msw works with this version of Node, which MSW itself does not.
 *
 * @throws UsageError for msw 3 before Node 22
 */
export function checkMsw(from: string = import.meta.url, promise: object = Promise): void {
  if ('withResolvers' in promise) return
  const version = findMsw(from)?.version ?? ''
  if (Number.parseInt(version, 10) < 3 || version === '') return
  throw new UsageError(
    `msw ${version} needs Node 22 or newer, and this is Node ${process.versions.node}. Update Node, or install msw 2: npm install --save-dev msw@2`,
  )
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
