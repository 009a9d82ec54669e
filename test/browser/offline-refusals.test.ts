import { expect } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { openOffline } from '../support/browser/offline.ts'
import { servePage } from '../support/browser/served-page.ts'

const worker = '/mockServiceWorker.js'
const cure = 'Run npx understudy-api init FOLDER with the folder that your page is served from.'

withChromium('a worker file of another msw version is refused', async () => {
  const { open } = await openOffline()
  const { url, files } = await servePage()
  files.set(worker, files.get(worker)?.replace("'2.15.0'", "'2.12.0'") ?? '')

  const { said } = await open(url)

  expect(await said()).toBe(
    `Failed to start in the browser: expected the worker file of msw 2.15.0 at ${worker}, got that of msw 2.12.0. ${cure}`,
  )
})

withChromium('a missing worker file is refused, and so is an HTML page in its place', async () => {
  const { open } = await openOffline()
  const { url, files } = await servePage()
  files.delete(worker)
  const missing = await open(url)
  const first = await missing.said()
  files.set(worker, '<!doctype html><title>Single page</title>')
  const replaced = await open(url)

  expect(first).toBe(
    `Failed to start in the browser: MSW's worker file was not found at ${worker} (404). ${cure}`,
  )
  expect(await replaced.said()).toBe(
    `Failed to start in the browser: ${worker} is not a worker file of MSW. ${cure}`,
  )
})

withChromium('another worker that controls the page stays registered', async () => {
  const { context, open } = await openOffline()
  const { url, files } = await servePage()
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
    `Failed to start in the browser: the service worker ${url}sw.js controls ${url}. It was not changed. ` +
      'Do not register it together with Understudy, and unregister it once with ' +
      `(await navigator.serviceWorker.getRegistration(${JSON.stringify(url)})).unregister().`,
  )
  expect(
    await page.evaluate(async () =>
      (await navigator.serviceWorker.getRegistrations()).map(({ active }) => active?.scriptURL),
    ),
  ).toEqual([`${url}sw.js`])
})

withChromium('a page on an insecure origin has no service workers', async () => {
  const { open } = await openOffline()
  const { port } = await servePage()

  const { said } = await open(`http://understudy.test:${port}/`)

  expect(await said()).toBe(
    `Failed to start in the browser: http://understudy.test:${port} has no service workers. Browsers have them on ` +
      'https: and on http://localhost, and some browsers not in private windows. Open the page there, or run a server: ' +
      'npx understudy-api serve.',
  )
})

withChromium('a worker file in a subfolder does not control the page', async () => {
  const { open } = await openOffline()
  const { url, files } = await servePage()
  files.set('/assets/worker.js', files.get(worker) ?? '')

  const { said } = await open(url, { workerUrl: '/assets/worker.js' })

  expect(await said()).toMatch(
    `Failed to start in the browser: the worker controls pages below ${url}assets/, but this page is ${url}`,
  )
})

withChromium('a denied storage is reported before the worker is registered', async () => {
  const { open, context } = await openOffline()
  await context.addInitScript(() => {
    const get = (): never => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    }
    Object.defineProperty(globalThis, 'sessionStorage', { get })
  })
  const { url } = await servePage()

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
    const { open } = await openOffline()
    const { url } = await servePage()
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
  const { open, context } = await openOffline()
  await context.addInitScript(() => sessionStorage.setItem('understudy', 'mine'))
  const { url } = await servePage()

  const { page, said } = await open(url)

  expect(await said()).toMatch(/^The storage item "understudy" is not valid JSON: /)
  expect(await page.evaluate(() => sessionStorage.getItem('understudy'))).toBe('mine')
})
