import { expect } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { serveOffline } from './offline.ts'

withChromium(
  'a page on an insecure origin, which has no service workers, is answered, too',
  async () => {
    const { open, port } = await serveOffline()

    const { said, contents } = await open(`http://understudy.test:${port}/`)

    expect([await said(), (await contents()).length]).toEqual([null, 6])
  },
)

withChromium('a worker file that is missing is named by MSW', async () => {
  const { open, url } = await serveOffline()

  const { said } = await open(url, { workerUrl: '/assets/worker.js' })

  expect(await said()).toContain('Service Worker script does not exist at the given path')
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

const strictPage = `<!doctype html><meta http-equiv="Content-Security-Policy" content="script-src 'self'"><title>Shop</title>
  <script type="module" src="/stdin.js"></script>`

withChromium('a page with a strict Content-Security-Policy reports no violation', async () => {
  const { open, url, files } = await serveOffline()
  files.set('/', strictPage)
  const { page, said, contents } = await open(url)
  await page.addInitScript(() => {
    const violations: string[] = []
    Object.assign(globalThis, { violations })
    addEventListener('securitypolicyviolation', (event) => {
      violations.push(event.violatedDirective)
    })
  })
  await page.reload()

  expect([await said(), (await contents()).length]).toEqual([null, 6])
  expect(await page.evaluate(() => Reflect.get(globalThis, 'violations'))).toEqual([])
})

withChromium('a service worker of the page that takes it is named in the console', async () => {
  const { open, url, files } = await serveOffline()
  const ownWorker = `
    addEventListener('install', () => skipWaiting())
    addEventListener('activate', (event) => event.waitUntil(clients.claim()))`
  files.set('/own-sw.js', ownWorker)
  const { page, said, errors } = await open(url)
  await said()

  await page.evaluate(() => navigator.serviceWorker.register('/own-sw.js'))

  await expect
    .poll(() => errors)
    .toEqual([
      `[Understudy] The service worker ${url}own-sw.js has taken this page: its requests go to the network. Do not register it together with Understudy.`,
    ])
})
