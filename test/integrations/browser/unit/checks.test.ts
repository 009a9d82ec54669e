import { afterEach, expect, test, vi } from 'vitest'
import { checkPage, claimPage } from '../../../../src/integrations/browser/check-page.ts'
import { persistWorld } from '../../../../src/integrations/browser/persist-world.ts'
import { createSimulator } from '../../../../src/simulator/simulator.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const worker = { workerUrl: undefined, scope: undefined }
const origin = 'http://localhost:5173'
const version = '2.15.0'
const workerFile = (msw: string) =>
  `const PACKAGE_VERSION = '${msw}'\nconst INTEGRITY_CHECKSUM = 'abc'\n`

/** Serves files, by their paths. @returns the paths that are fetched */
function serve(files: Readonly<Record<string, Response>>): string[] {
  const fetched: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    fetched.push(path)
    return files[path]?.clone() ?? new Response('No such file', { status: 404 })
  })
  return fetched
}

const denied = new DOMException('Not allowed', 'SecurityError')

/** A page, and perhaps a registered worker. */
const pageWith = (href: string, scriptURL?: string, scope?: string) => ({
  location: { href, origin },
  navigator: {
    serviceWorker: {
      getRegistrations: async () =>
        scriptURL ? [{ active: { scriptURL }, scope } as unknown as ServiceWorkerRegistration] : [],
    },
  },
})

test('an unsupported msw is refused before the worker file is fetched', async () => {
  const fetched = serve({})

  await expect(checkPage(worker, pageWith(`${origin}/`), '2.11.6')).rejects.toThrow(
    'Failed to start in the browser: expected msw 2.12 or newer, or 3, got 2.11.6. Run npm install --save-dev msw@2.',
  )
  expect(fetched).toEqual([])
})

test('if the server of the page is gone, the error says so', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch')
  })

  await expect(checkPage(worker, pageWith(`${origin}/`), version)).rejects.toThrow(
    'Failed to start in the browser: expected the worker file of msw 2.15.0, got /mockServiceWorker.js (Failed to fetch). Run npx understudy-api init FOLDER with the folder that your page is served from. If the file has another URL, name it: workerUrl.',
  )
})

test.each([
  ['/', '/mockServiceWorker.js', 1],
  ['/shop/items/7?tab=2', '/mockServiceWorker.js', 1],
  ['/shop/items/7', '/shop/mockServiceWorker.js', 2],
  ['/shop/', '/shop/mockServiceWorker.js', 2],
  ['/shop/eu/', '/shop/eu/mockServiceWorker.js', 3],
])('a page at %s finds its worker file at %s', async (path, workerUrl, requests) => {
  const fetched = serve({ [workerUrl]: new Response(workerFile(version)) })

  const location = await checkPage(worker, pageWith(origin + path), version)

  expect([location, fetched.length]).toEqual([{ workerUrl, scope: undefined }, requests])
})

test('without a worker file, the places that were tried are listed, and the option', async () => {
  serve({
    '/mockServiceWorker.js': new Response(workerFile('2.12.0')),
    '/shop/mockServiceWorker.js': new Response('<!doctype html>'),
  })

  await expect(checkPage(worker, pageWith(`${origin}/shop/items`), version)).rejects.toThrow(
    'Failed to start in the browser: expected the worker file of msw 2.15.0, got /mockServiceWorker.js (of msw 2.12.0), ' +
      '/shop/mockServiceWorker.js (another file), /shop/items/mockServiceWorker.js (404). Run npx understudy-api init ' +
      'FOLDER with the folder that your page is served from. If the file has another URL, name it: workerUrl.',
  )
})

test('a scope outside of the folder of the worker file needs a header', async () => {
  const path = '/shop/mockServiceWorker.js'
  const page = pageWith(`${origin}/shop/`)
  serve({ [path]: new Response(workerFile(version)) })
  await expect(checkPage({ ...worker, scope: '/' }, page, version)).rejects.toThrow(
    `Failed to start in the browser: the browser lets the worker of ${path} control pages below ${origin}/shop/, not ${origin}/. Remove the option ` +
      'scope, or let the server send the header Service-Worker-Allowed: / with the file.',
  )

  const headers = { 'service-worker-allowed': '/' }
  serve({ [path]: new Response(workerFile(version), { headers }) })

  expect(await checkPage({ ...worker, scope: '/' }, page, version)).toEqual({
    workerUrl: path,
    scope: '/',
  })
})

test('a worker of other pages, one with a wider scope, and MSW’s own earlier worker are no obstacle', async () => {
  serve({ '/mockServiceWorker.js': new Response(workerFile(version)) })
  const page = (script: string, scope: string) =>
    pageWith(`${origin}/app/`, origin + script, origin + scope)
  const checks = [
    checkPage(worker, page('/shop/sw.js', '/shop/'), version),
    checkPage({ ...worker, scope: '/app/' }, page('/sw.js', '/'), version),
    checkPage(worker, page('/mockServiceWorker.js', '/'), version),
  ]

  expect((await Promise.all(checks)).map(({ scope }) => scope)).toEqual([
    undefined,
    '/app/',
    undefined,
  ])
})

test.each(['/', '/app/'])(
  'a worker with the same or a narrower scope is refused: %s',
  async (path) => {
    const scope = origin + path
    serve({ '/mockServiceWorker.js': new Response(workerFile(version)) })
    const page = pageWith(`${origin}/app/`, `${scope}sw.js`, scope)

    await expect(checkPage(worker, page, version)).rejects.toThrow(
      `Failed to start in the browser: the service worker ${scope}sw.js controls ${scope}. Do not register it together with Understudy. Unregister it once with (await navigator.serviceWorker.getRegistration("${scope}")).unregister().`,
    )
  },
)

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

  await expect(checkPage(worker, { location, navigator }, version)).rejects.toThrow(
    'Failed to start in the browser: the browser denies service workers to this page (SecurityError: Not allowed). ' +
      'Allow this site to store data in the settings of the browser, or run a server: npx understudy-api serve.',
  )
})

test('a released page can be claimed again', async () => {
  const page = {}

  const release = await claimPage(page)
  release()
  await claimPage(page)

  await expect(claimPage(page)).rejects.toThrow(
    'Failed to start in the browser: a simulator already runs on this page. Use that one, or call its stop() first, as in import.meta.hot.dispose(stop) of a module that is replaced while the page runs.',
  )
})

const options = { key: 'understudy', onError: vi.fn() }

test('a browser without storage is refused', () => {
  const page = { sessionStorage: null } as never

  expect(() => persistWorld(createSimulator(), 'tab', options, page)).toThrow(
    "Failed to start in the browser: this page cannot use sessionStorage (it does not exist). Allow this site to store data in the settings of the browser, or pass persist: 'none' to start with a new world after each reload.",
  )
})
