import { afterEach, expect, test, vi } from 'vitest'
import { checkPage, claimPage } from '../../../../src/integrations/browser/check-page.ts'
import { checkWorkerFile } from '../../../../src/integrations/browser/check-worker-file.ts'
import {
  type PageStorages,
  persistWorld,
} from '../../../../src/integrations/browser/persist-world.ts'
import { createSimulator } from '../../../../src/simulator.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const place = { workerUrl: '/mockServiceWorker.js', scope: undefined }

/** A page on which a worker is registered. */
const pageWith = (scriptURL: string, scope: string, href = 'http://localhost:5173/app/') => ({
  location: { href, origin: 'http://localhost:5173' },
  navigator: {
    serviceWorker: {
      getRegistrations: async () => [
        { active: { scriptURL }, scope } as unknown as ServiceWorkerRegistration,
      ],
    },
  },
})

test('an msw out of range is refused before its worker file is asked for', async () => {
  const ask = vi.fn()
  vi.stubGlobal('fetch', ask)

  await expect(checkWorkerFile('/mockServiceWorker.js', '2.11.6')).rejects.toThrow(
    'Failed to start in the browser: expected msw 2.12 or newer, or 3, got 2.11.6. Run npm install --save-dev msw@2.',
  )
  expect(ask).not.toHaveBeenCalled()
})

test('a server that is gone is told as what it is', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch')
  })

  await expect(checkWorkerFile('/mockServiceWorker.js', '2.15.0')).rejects.toThrow(
    "expected MSW's worker file at /mockServiceWorker.js, got Failed to fetch. Run npx understudy init FOLDER",
  )
})

test('a worker for other pages, a wider one, and ours of before are let be', async () => {
  const origin = 'http://localhost:5173'

  const checks = [
    checkPage(place, pageWith(`${origin}/shop/sw.js`, `${origin}/shop/`)),
    checkPage({ ...place, scope: '/app/' }, pageWith(`${origin}/sw.js`, `${origin}/`)),
    checkPage(place, pageWith(`${origin}/mockServiceWorker.js`, `${origin}/`)),
  ]

  expect(await Promise.all(checks)).toEqual([undefined, undefined, undefined])
})

test('a worker that is nearer to the page than ours is refused', async () => {
  const origin = 'http://localhost:5173'

  await expect(checkPage(place, pageWith(`${origin}/app/sw.js`, `${origin}/app/`))).rejects.toThrow(
    `got one of ${origin}/app/sw.js for ${origin}/app/. It was left as it is`,
  )
})

test('a page that was given back may be claimed again', () => {
  const page = {}

  claimPage(page)()
  claimPage(page)

  expect(() => claimPage(page)).toThrow('expected a page that no simulator answers yet')
})

test('a place to keep the world that nobody knows is refused', async () => {
  const keeping = { persist: 'tabs' as never, key: 'understudy', onError: vi.fn() }

  await expect(persistWorld(createSimulator(), keeping, {} as PageStorages)).rejects.toThrow(
    'Failed to start in the browser: expected persist as one of tab, shared, none, got "tabs".',
  )
})

test('a browser that has no storage at all is refused', async () => {
  const keeping = { persist: 'shared', key: 'understudy', onError: vi.fn() } as const

  await expect(
    persistWorld(createSimulator(), keeping, { localStorage: null } as never),
  ).rejects.toThrow('expected a page that may use its localStorage, got one without.')
})
