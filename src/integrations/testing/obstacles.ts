import { readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'

/**
 * Finds what can keep requests from being intercepted: a sentence with the cure for each.
 *
 * @param before the `fetch` before the requests
 */
export function findObstacles(before: { readonly fetch: typeof fetch }): string[] {
  return [findReplacedFetch(before.fetch), findMockAgent(), findSecondMsw()].flatMap(
    (found) => found ?? [],
  )
}

function findReplacedFetch(before: typeof fetch): string | null {
  const { fetch } = globalThis
  const isMock = typeof fetch === 'function' && 'mock' in fetch
  if (fetch === before && !isMock) return null
  const name = (isMock ? 'a mock function' : fetch?.name) || 'another function'
  return `globalThis.fetch was replaced by ${name}, so that its requests are not intercepted. Remove the replacement for these tests, and add MSW handlers with simulator.use(…).`
}

/** The global dispatcher of undici, which `fetch` of Node uses. */
function findMockAgent(): string | null {
  const dispatcher = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'))
  if (dispatcher?.constructor?.name !== 'MockAgent') return null
  return 'The global dispatcher of undici is a MockAgent, which can answer before the simulator. Call setGlobalDispatcher(new Agent()) for these tests.'
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
