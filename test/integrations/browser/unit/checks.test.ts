import { afterEach, expect, test, vi } from 'vitest'
import {
  checkPage,
  checkWorkerFile,
  claimPage,
} from '../../../../src/integrations/browser/check-page.ts'
import {
  type PageStorage,
  persistWorld,
} from '../../../../src/integrations/browser/persist-world.ts'
import { createSimulator } from '../../../../src/simulator.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const worker = { workerUrl: '/mockServiceWorker.js', scope: undefined }
const origin = 'http://localhost:5173'

const denied = new DOMException('Not allowed', 'SecurityError')

/** A page with a registered worker. */
const pageWith = (scriptURL: string, scope: string, href = `${origin}/app/`) => ({
  location: { href, origin },
  navigator: {
    serviceWorker: {
      getRegistrations: async () => [
        { active: { scriptURL }, scope } as unknown as ServiceWorkerRegistration,
      ],
    },
  },
})

test('an unsupported msw is refused before the worker file is fetched', async () => {
  const fetchWorker = vi.fn()
  vi.stubGlobal('fetch', fetchWorker)

  await expect(checkWorkerFile('/mockServiceWorker.js', '2.11.6')).rejects.toThrow(
    'Failed to start in the browser: expected msw 2.12 or newer, or 3, got 2.11.6. Run npm install --save-dev msw@2.',
  )
  expect(fetchWorker).not.toHaveBeenCalled()
})

test('if the server of the page is gone, the error says so', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch')
  })

  await expect(checkWorkerFile('/mockServiceWorker.js', '2.15.0')).rejects.toThrow(
    "MSW's worker file was not found at /mockServiceWorker.js (Failed to fetch). Run npx understudy-api init FOLDER",
  )
})

test('a worker of other pages, one with a wider scope, and MSW’s own earlier worker are no obstacle', async () => {
  const checks = [
    checkPage(worker, pageWith(`${origin}/shop/sw.js`, `${origin}/shop/`)),
    checkPage({ ...worker, scope: '/app/' }, pageWith(`${origin}/sw.js`, `${origin}/`)),
    checkPage(worker, pageWith(`${origin}/mockServiceWorker.js`, `${origin}/`)),
  ]

  expect(await Promise.all(checks)).toEqual([undefined, undefined, undefined])
})

test('a worker with a narrower scope is refused', async () => {
  await expect(
    checkPage(worker, pageWith(`${origin}/app/sw.js`, `${origin}/app/`)),
  ).rejects.toThrow(`the service worker ${origin}/app/sw.js controls ${origin}/app/.`)
})

test.each([
  ['when they are listed', { getRegistrations: () => Promise.reject(denied) }],
  ['when they are read, as in a sandboxed frame', null],
])('a browser that denies service workers %s is named', async (_, serviceWorker) => {
  const navigator = {
    get serviceWorker() {
      if (serviceWorker) return serviceWorker
      throw denied
    },
  }
  const location = { href: `${origin}/`, origin }

  await expect(checkPage(worker, { location, navigator })).rejects.toThrow(
    'Failed to start in the browser: the browser denies service workers to this page (SecurityError: Not allowed). ' +
      'Allow this site to store data in the settings of the browser, or run a server: npx understudy-api serve.',
  )
})

test('a released page can be claimed again', async () => {
  const page = {}

  const release = await claimPage(page)
  release()
  await claimPage(page)

  await expect(claimPage(page)).rejects.toThrow('a simulator already runs on this page')
})

const options = { key: 'understudy', onError: vi.fn() }

test.each([
  ['tabs', 'Failed to start in the browser: expected persist as one of tab, none, got "tabs".'],
  [
    'shared',
    'persist: "shared" was removed. Use one server for several tabs: npx understudy-api serve.',
  ],
])('persist: %s is refused', (persist, message) => {
  const start = () => persistWorld(createSimulator(), persist as never, options, {} as PageStorage)

  expect(start).toThrow(message)
})

test('a browser without storage is refused', () => {
  const page = { sessionStorage: null } as never

  expect(() => persistWorld(createSimulator(), 'tab', options, page)).toThrow(
    'this page cannot use sessionStorage (it does not exist).',
  )
})
