import { expect } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { openOffline } from '../support/browser/offline.ts'
import { servePage } from '../support/browser/served-page.ts'

withChromium('each tab has its own world by default', async () => {
  const { open } = await openOffline()
  const { url } = await servePage()
  const [one, two] = [await open(url), await open(url)]

  await one.ask('POST', annotationsPath, { content: 'In one' })
  await two.page.reload()

  expect(await one.contents()).toContain('In one')
  expect(await two.contents()).not.toContain('In one')
})

withChromium(
  'with persist: none, a reload starts with a new world, and nothing is stored',
  async () => {
    const { open } = await openOffline()
    const { url } = await servePage()
    const { page, ask, contents } = await open(url, { persist: 'none' })

    await ask('POST', annotationsPath, { content: 'Gone with the reload' })
    await page.reload()

    expect(await contents()).toHaveLength(6)
    expect(await page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0)
  },
)
