import { expect } from 'vitest'
import type { BrowserOptions } from '../../src/browser.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { closeBrowserAfterAll, withChromium } from '../support/browser/chromium.ts'
import { serveOffline } from '../support/browser/offline.ts'

closeBrowserAfterAll()

const worker = '/mockServiceWorker.js'
const inSubfolder = encodeURIComponent('{"workerUrl":"/assets/worker.js"}')
const missing = (problem: string) =>
  `expected the worker file of msw 2.15.0, got ${worker} (${problem}). Run npx understudy-api init FOLDER with the folder ` +
  'that your page is served from. If the file has another URL, name it: workerUrl.'

withChromium.for<{
  title: string
  host?: string
  options?: BrowserOptions
  arrange?: (files: Map<string, string>) => unknown
  refusal: (url: string) => string
}>([
  {
    title: 'a worker file of another msw version',
    arrange: (files) => files.set(worker, files.get(worker)?.replace("'2.15.0'", "'2.12.0'") ?? ''),
    refusal: () => missing('of msw 2.12.0'),
  },
  {
    title: 'a missing worker file',
    arrange: (files) => files.delete(worker),
    refusal: () => missing('404'),
  },
  {
    title: 'an HTML page in place of the worker file',
    arrange: (files) => files.set(worker, '<!doctype html><title>Single page</title>'),
    refusal: () => missing('another file'),
  },
  {
    title: 'a mode of mistakes that fails, which a page cannot do',
    options: { mistakes: 'fail' as 'print' },
    refusal: () => 'expected one of off, print, got "fail".',
  },
  {
    title: 'a page on an insecure origin, which has no service workers',
    host: 'understudy.test',
    refusal: (url) =>
      `${url.slice(0, -1)} has no service workers. They need https: or http://localhost, and in some browsers ` +
      'no private window. Open the page there, or run a server: npx understudy-api serve.',
  },
  {
    title: 'a worker file in a subfolder, which does not control the page',
    options: { workerUrl: '/assets/worker.js' },
    arrange: (files) => files.set('/assets/worker.js', files.get(worker) ?? ''),
    refusal: (url) =>
      `the worker controls pages below ${url}assets/, but this page is ${url}?${inSubfolder}. ` +
      'Open a page below it, or put the worker file into a folder above the page (npx understudy-api init), and name ' +
      'its URL: workerUrl.',
  },
])('$title is refused', async ({ host = '127.0.0.1', options, arrange, refusal }) => {
  const { open, files, port } = await serveOffline()
  const url = `http://${host}:${port}/`
  arrange?.(files)

  const { said } = await open(url, options)

  expect(await said()).toBe(`Failed to start in the browser: ${refusal(url)}`)
})

withChromium('another worker that controls the page stays registered', async () => {
  const { context, open, url, files } = await serveOffline()
  files.set('/sw.js', "addEventListener('fetch', () => {})")
  files.set('/plain', '<!doctype html><title>Before</title>')
  const before = await context.newPage()
  await before.goto(`${url}plain`)
  await before.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js')
    await navigator.serviceWorker.ready
  })

  const { page, said } = await open(url)

  expect(await said()).toBe(
    `Failed to start in the browser: the service worker ${url}sw.js controls ${url}. ` +
      'Do not register it together with Understudy. Unregister it once with ' +
      `(await navigator.serviceWorker.getRegistration(${JSON.stringify(url)})).unregister().`,
  )
  expect(
    await page.evaluate(async () =>
      (await navigator.serviceWorker.getRegistrations()).map(({ active }) => active?.scriptURL),
    ),
  ).toEqual([`${url}sw.js`])
})

withChromium(
  'a browser that registers no worker is named, as in a test of Playwright',
  async () => {
    const { context, open, url } = await serveOffline()
    // What its option `serviceWorkers: 'block'` does.
    await context.addInitScript(() => {
      navigator.serviceWorker.register = async () => undefined as never
    })

    const { page, said } = await open(url)

    expect(await said()).toBe(
      "Failed to start in the browser: the browser did not register MSW's worker. Allow service workers for this " +
        "page: in Playwright, remove serviceWorkers: 'block'. The reason: Cannot read properties of undefined (reading 'active')",
    )
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  },
)

withChromium('a denied storage is reported before the worker is registered', async () => {
  const { open, context, url } = await serveOffline()
  await context.addInitScript(() => {
    const get = (): never => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    }
    Object.defineProperty(globalThis, 'sessionStorage', { get })
  })

  const { page, said } = await open(url)

  expect(await said()).toBe(
    'Failed to start in the browser: this page cannot use sessionStorage (SecurityError: Access is denied for this ' +
      'document.). Allow this site to store data in the settings of the browser, ' +
      "or pass persist: 'none' to start with a new world after each reload.",
  )
  expect(
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
  ).toBe(0)
})

withChromium(
  'a full storage is reported once, the page continues, and earlier saves stay',
  async () => {
    const { open, url } = await serveOffline()
    const { page, ask, contents, errors } = await open(url)
    await ask('POST', annotationsPath, { content: 'Saved' })
    await page.evaluate(() => {
      for (let size = 1 << 23; size >= 1; size = Math.floor(size / 2)) {
        for (let count = 0; count < 2; count++) {
          try {
            sessionStorage.setItem(`filler ${size} ${count}`, 'x'.repeat(size))
          } catch {}
        }
      }
    })

    const [status] = await ask('POST', annotationsPath, { content: 'Too much' })
    await ask('POST', annotationsPath, { content: 'More' })
    const listed = await contents()
    await page.reload()

    expect(status).toBe(201)
    expect(listed).toEqual(expect.arrayContaining(['Saved', 'Too much', 'More']))
    expect(errors).toEqual([
      expect.stringMatching(
        /Failed to save the state in the storage item "understudy": QuotaExceededError/,
      ),
    ])
    expect(await contents()).toContain('Saved')
  },
)

withChromium('a storage item that is not a world stays', async () => {
  const { open, context, url } = await serveOffline()
  await context.addInitScript(() => sessionStorage.setItem('understudy', 'mine'))

  const { page, said } = await open(url)

  expect(await said()).toMatch(/^The storage item "understudy" is not valid JSON: /)
  expect(await page.evaluate(() => sessionStorage.getItem('understudy'))).toBe('mine')
})
