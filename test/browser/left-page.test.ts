import { expect } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { serveOffline, type Tab } from './offline.ts'

/** Null if the request went to the network. The worker learns of a page some milliseconds after it was reminded of it. */
const statusOf = ({ ask }: Tab) =>
  ask('GET', annotationsPath).then(
    ([status]) => status,
    () => null,
  )

withChromium('a page whose worker the browser stopped is soon answered again', async () => {
  const { open, url, context } = await serveOffline()
  const tab = await open(url)
  const tools = await context.newCDPSession(tab.page)

  await tools.send('ServiceWorker.enable')
  await tools.send('ServiceWorker.stopAllWorkers')

  await expect.poll(() => statusOf(tab)).toBe(200)
})

withChromium('a tab whose worker the browser stopped is answered when it is shown', async () => {
  const { open, url, context } = await serveOffline()
  await context.clock.install()
  const tab = await open(url)
  const tools = await context.newCDPSession(tab.page)
  await context.clock.pauseAt(Date.now() + 3_600_000) // timers of hidden tabs are late

  await tools.send('ServiceWorker.enable')
  await tools.send('ServiceWorker.stopAllWorkers')
  const hidden = await statusOf(tab)
  await tab.page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  )

  expect(hidden).toBe(null)
  await expect.poll(() => statusOf(tab)).toBe(200)
})

withChromium('a page that stays, because its link is a download, is still answered', async () => {
  const { open, url, context } = await serveOffline()
  await context.clock.install()
  const tab = await open(url)
  await tab.page.route('**/export', (route) => route.fulfill({ status: 204 }))
  await context.clock.pauseAt(Date.now() + 3_600_000)

  const answered = tab.page.waitForResponse('**/export')
  await tab.page.evaluate(() => location.assign('/export'))
  await answered

  await expect.poll(() => statusOf(tab)).toBe(200)
})

withChromium('a page that the browser goes back to shows what the next page wrote', async () => {
  const { open, url } = await serveOffline()
  const { page, ask, contents } = await open(url)

  await page.goto(`${url}?${encodeURIComponent('{"quiet":false}')}`)
  await ask('POST', annotationsPath, { content: 'Written on the next page' })
  const loaded = page.waitForEvent('load')
  await page.evaluate(() => history.back())
  await loaded

  expect(page.url()).toBe(`${url}?${encodeURIComponent('{}')}`)
  expect(await contents()).toContain('Written on the next page')
})
