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
