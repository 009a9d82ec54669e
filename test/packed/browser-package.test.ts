import { beforeAll, expect } from 'vitest'
import { buildPage } from '../browser/build-page.ts'
import { openLoggedOffline } from '../browser/offline.ts'
import { servePage } from '../browser/served-page.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { consumerPath, consumers, installConsumer } from '../support/packed/consumers.ts'

// The installed package works in a page, like the sources in the tests of test/browser.
const projects = consumers.map((consumer) => ({ ...consumer, name: `page-${consumer.name}` }))
beforeAll(async () => {
  for (const project of projects) await installConsumer(project)
})

withChromium.each(projects)(
  'a page with msw $msw gets responses, and keeps its world after a reload',
  async (consumer) => {
    const page = await buildPage({
      folder: consumerPath(consumer),
      entrance: 'understudy-api/browser',
    })
    const served = await servePage(page)
    const { open, end } = await openLoggedOffline()
    const tab = await open(served.url)
    const { said, ask, contents, errors } = tab

    const started = await said()
    await ask('POST', '/api/projects/1/annotations/', { content: 'Kept' })
    await tab.page.reload()
    const listed = await contents()
    const sent = await end()

    expect([started, errors]).toEqual([null, []])
    expect(listed).toContain('Kept')
    expect(served.files.get('/mockServiceWorker.js')).toContain(`'${consumer.msw}'`)
    expect(sent.filter((address) => !address.startsWith(served.url))).toEqual([])
  },
)
