import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { checkMsw, hasInterceptors } from '../../../src/integrations/testing/obstacles.ts'
import { linesOfFailedRun } from '../../support/failed-run.ts'
import { temporaryFolder } from '../../support/files.ts'
import { root } from '../../support/root.ts'

const projects = 'https://app.example.com/api/projects/'
afterEach(() => void vi.unstubAllGlobals())

test('a fetch that was replaced is named, if the simulator received no requests', async () => {
  const lines = await linesOfFailedRun(() => {
    vi.stubGlobal('fetch', async function fetchMock() {})
    return fetch(projects)
  })

  expect(lines).toEqual([
    'The simulator received no requests.',
    'globalThis.fetch was replaced by fetchMock, so that its requests are not intercepted. Remove the replacement for these tests, and add MSW handlers with simulator.use(…).',
  ])
})

test('a mock function is not named by its own name', async () => {
  const lines = await linesOfFailedRun(() => vi.stubGlobal('fetch', vi.fn()))

  expect(lines[1]).toContain('globalThis.fetch was replaced by a mock function, so that')
})

test('a MockAgent of undici is named', async () => {
  class MockAgent {}
  const name = Symbol.for('undici.globalDispatcher.1')
  const before = Reflect.get(globalThis, name)
  onTestFinished(() => void Reflect.set(globalThis, name, before))

  const lines = await linesOfFailedRun(() => Reflect.set(globalThis, name, new MockAgent()))

  expect(lines).toEqual([
    'The simulator received no requests.',
    'The global dispatcher of undici is a MockAgent, which answers requests of the package undici. The simulator does not intercept this package: send the requests of these tests with the global fetch.',
  ])
})

test('two copies of msw are named, with their versions and files', async () => {
  const folder = realpathSync(temporaryFolder())
  const other = join(folder, 'node_modules', 'msw')
  mkdirSync(other, { recursive: true })
  writeFileSync(join(other, 'package.json'), '{"name":"msw","version":"2.12.3"}')
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder)

  const lines = await linesOfFailedRun(() => {})
  cwd.mockRestore()

  const own = realpathSync(`${root}node_modules/msw/package.json`)
  expect(lines).toEqual([
    'The simulator received no requests.',
    `There are two copies of msw: this package uses 2.15.0 in ${own}, and the project uses 2.12.3 in ${join(other, 'package.json')}. Run npm ls msw, install one version for both, then run npm dedupe.`,
  ])
})

test('msw 3 is refused on a Node that it does not support', () => {
  const folder = temporaryFolder()
  const install = (version: string) => {
    mkdirSync(join(folder, 'node_modules', 'msw'), { recursive: true })
    const text = JSON.stringify({ name: 'msw', version })
    writeFileSync(join(folder, 'node_modules', 'msw', 'package.json'), text)
    return join(folder, 'test.js')
  }

  expect(() => checkMsw(install('2.15.0'), {})).not.toThrow()
  expect(() => checkMsw(install('3.0.5'), { withResolvers() {} })).not.toThrow()
  expect(() => checkMsw(install('3.0.5'), {})).toThrow(
    `msw 3.0.5 needs Node 22 or newer, and this is Node ${process.versions.node}. Update Node, or install msw 2: npm install --save-dev msw@2`,
  )
})

test('nothing is said about them if the simulator received a request', async () => {
  const lines = await linesOfFailedRun(async () => {
    await fetch(projects)
    vi.stubGlobal('fetch', vi.fn())
  })

  expect(lines.slice(0, 1)).toEqual(['Requests to the simulator, the latest last:'])
  expect(lines.join('\n')).not.toContain('globalThis.fetch')
})

test('a second copy of msw 3 is recognized while it intercepts requests', () => {
  const name = '__MSW_INTERCEPTORS_REGISTRY'
  onTestFinished(() => void Reflect.deleteProperty(globalThis, name))
  const found = ['INACTIVE', 'ACTIVE', 'DISPOSED'].map((readyState) => {
    Reflect.set(globalThis, name, new Map([[Symbol('node-http-request-source'), { readyState }]]))
    return hasInterceptors()
  })

  expect(found).toEqual([false, true, false])
})

test('another library that intercepted requests before is named, also in later tests', async () => {
  const name = Symbol('fetch-interceptor')
  Reflect.set(globalThis, name, {})
  await linesOfFailedRun(() => {})
  // As MSW does when a server is closed.
  Reflect.deleteProperty(globalThis, name)

  expect(await linesOfFailedRun(() => {})).toEqual([
    'The simulator received no requests.',
    'Another library intercepted requests before the simulator did: a second copy of msw, or nock. Run npm ls msw nock, and import setupServer from the same msw as your tests.',
  ])
})
