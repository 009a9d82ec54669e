import { expect } from 'vitest'
import type { BrowserOptions } from '../../src/browser.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { serveOffline } from '../support/browser/offline.ts'

const inSubfolder = encodeURIComponent('{"workerUrl":"/assets/worker.js"}')
withChromium.for<{
  title: string
  host?: string
  options?: BrowserOptions
  arrange?: (files: Map<string, string>) => unknown
  refusal: (url: string) => string
}>([
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
    arrange: (files) => files.set('/assets/worker.js', files.get('/mockServiceWorker.js') ?? ''),
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
