import { expect } from 'vitest'
import { withChromium } from '../support/browser/chromium.ts'
import { openOffline } from '../support/browser/offline.ts'
import { servePage } from '../support/browser/served-page.ts'

const list = '/api/projects/1/annotations/'

withChromium('each tab has a world of its own, where nothing else is said', async () => {
  const { open } = await openOffline()
  const { url } = await servePage()
  const [one, two] = [await open(url), await open(url)]

  await one.ask('POST', list, { content: 'In one' })
  await two.page.reload()

  expect(await one.contents()).toContain('In one')
  expect(await two.contents()).not.toContain('In one')
})

withChromium(
  'shared, all tabs see one world, whichever writes, also those opened later',
  async () => {
    const { open } = await openOffline()
    const { url } = await servePage()
    const [one, two] = [
      await open(url, { persist: 'shared' }),
      await open(url, { persist: 'shared' }),
    ]
    await Promise.all([one.said(), two.said()])

    const [, { id }] = await one.ask('POST', list, { content: 'From one' })
    await expect.poll(two.contents).toContain('From one')
    const [changed] = await two.ask('PATCH', `${list}${id}/`, { content: 'Changed by two' })
    await expect.poll(one.contents).toContain('Changed by two')
    const three = await open(url, { persist: 'shared' })

    expect(changed).toBe(200)
    expect((await three.contents()).toSorted()).toEqual((await one.contents()).toSorted())
    expect([...one.errors, ...two.errors]).toEqual([])
  },
)

withChromium('two tabs that write again and again end with the same world', async () => {
  const { open } = await openOffline()
  const { url } = await servePage()
  const [one, two] = [
    await open(url, { persist: 'shared' }),
    await open(url, { persist: 'shared' }),
  ]
  await Promise.all([one.said(), two.said()])

  const writes = (tab: typeof one, name: string) =>
    Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        tab.ask('POST', list, { content: `${name} ${index}` }),
      ),
    )
  const statuses = (await Promise.all([writes(one, 'one'), writes(two, 'two')])).flat()
  await one.ask('POST', list, { content: 'The last one' })
  await expect.poll(two.contents).toContain('The last one')

  expect(new Set(statuses.map(([status]) => status))).toEqual(new Set([201]))
  expect(await two.contents()).toEqual(await one.contents())
  // What was lost to the other tab was told.
  const told = [...one.errors, ...two.errors].filter((text) =>
    text.includes('two tabs wrote at once'),
  )
  const left = (await one.contents()).filter((content) => /^(one|two) \d/.test(content))
  expect(told.length > 0).toBe(left.length < 20)
})

withChromium('nothing is kept where that is wanted', async () => {
  const { open } = await openOffline()
  const { url } = await servePage()
  const { page, ask, contents } = await open(url, { persist: 'none' })

  await ask('POST', list, { content: 'Gone with the reload' })
  await page.reload()

  expect(await contents()).toHaveLength(6)
  expect(await page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0)
})
