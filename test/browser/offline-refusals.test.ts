import { expect } from 'vitest'
import { withChromium } from '../support/browser/chromium.ts'
import { openOffline } from '../support/browser/offline.ts'
import { servePage } from '../support/browser/served-page.ts'

const list = '/api/projects/1/annotations/'
const worker = '/mockServiceWorker.js'
const cure = 'Run npx understudy init FOLDER, with the folder that the page is served from.'

withChromium('a worker file of another msw is named with its version', async () => {
  const { open } = await openOffline()
  const { url, files } = await servePage()
  files.set(worker, files.get(worker)?.replace("'2.15.0'", "'2.12.0'") ?? '')

  const { said } = await open(url)

  expect(await said()).toBe(
    `Failed to start in the browser: expected the worker file of msw 2.15.0 at ${worker}, got that of 2.12.0. ${cure}`,
  )
})

withChromium('a worker file that is missing, and a page in its place', async () => {
  const { open } = await openOffline()
  const { url, files } = await servePage()
  files.delete(worker)
  const missing = await open(url)
  const first = await missing.said()
  files.set(worker, '<!doctype html><title>Single page</title>')
  const replaced = await open(url)

  expect(first).toBe(
    `Failed to start in the browser: expected MSW's worker file at ${worker}, got 404. ${cure}`,
  )
  expect(await replaced.said()).toBe(
    `Failed to start in the browser: expected MSW's worker file at ${worker}, got something else. ${cure}`,
  )
})

withChromium('another worker has the page, and keeps it', async () => {
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
    `Failed to start in the browser: expected a page without another service worker, got one of ${url}sw.js for ${url}. ` +
      'It was left as it is: do not register it where Understudy answers, and end it once by ' +
      `(await navigator.serviceWorker.getRegistration(${JSON.stringify(url)})).unregister().`,
  )
  expect(
    await page.evaluate(async () =>
      (await navigator.serviceWorker.getRegistrations()).map(({ active }) => active?.scriptURL),
    ),
  ).toEqual([`${url}sw.js`])
})

withChromium('a page that is not secure has no service workers', async () => {
  const { open } = await openOffline()
  const { port } = await servePage()

  const { said } = await open(`http://understudy.test:${port}/`)

  expect(await said()).toBe(
    `Failed to start in the browser: expected a page with service workers, got http://understudy.test:${port} ` +
      'without. Browsers have them on https and on http://localhost, and some not in private windows: open the page ' +
      'there, or let it ask understudy serve.',
  )
})

withChromium('a worker file deep down does not reach the page', async () => {
  const { open } = await openOffline()
  const { url, files } = await servePage()
  files.set('/assets/worker.js', files.get(worker) ?? '')

  const { said } = await open(url, { workerUrl: '/assets/worker.js' })

  expect(await said()).toMatch(
    `Failed to start in the browser: expected a page below ${url}assets/, which is as far as its worker reaches, got ${url}`,
  )
})

withChromium('a storage that is denied is told before anything begins', async () => {
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
    'Failed to start in the browser: expected a page that may use its sessionStorage, got SecurityError ' +
      '(Access is denied for this document.). ' +
      "Let it keep data in the browser's settings for this site, or begin anew with each reload by persist: 'none'.",
  )
  expect(
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
  ).toBe(0)
})

withChromium(
  'a full storage is told once; the page goes on, and what was saved is there',
  async () => {
    const { open } = await openOffline()
    const { url } = await servePage()
    const { page, ask, contents, errors } = await open(url)
    await ask('POST', list, { content: 'Saved' })
    await page.evaluate(() => {
      for (let size = 1 << 23; size >= 1; size = Math.floor(size / 2)) {
        for (let count = 0; count < 2; count++) {
          try {
            sessionStorage.setItem(`filler ${size} ${count}`, 'x'.repeat(size))
          } catch {}
        }
      }
    })

    const [status] = await ask('POST', list, { content: 'Too much' })
    await ask('POST', list, { content: 'More' })
    const listed = await contents()
    await page.reload()

    expect(status).toBe(201)
    expect(listed).toEqual(expect.arrayContaining(['Saved', 'Too much', 'More']))
    expect(errors).toEqual([
      expect.stringMatching(
        /Failed to save the state in the storage item "understudy": expected room for the world, got QuotaExceededError/,
      ),
    ])
    expect(await contents()).toContain('Saved')
  },
)

withChromium('an item that holds something else stays', async () => {
  const { open, context } = await openOffline()
  await context.addInitScript(() => sessionStorage.setItem('understudy', 'mine'))
  const { url } = await servePage()

  const { page, said } = await open(url)

  expect(await said()).toMatch(/^Failed to read the state item "understudy": expected JSON, got/)
  expect(await page.evaluate(() => sessionStorage.getItem('understudy'))).toBe('mine')
})
