import { expect } from 'vitest'
import type { RunningInBrowser } from '../../src/browser.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { openLoggedOffline, openOffline, serveOffline } from './offline.ts'
import { servePage } from './served-page.ts'

withChromium(
  'a page lists, creates and soft-deletes annotations, and keeps them after a reload',
  async () => {
    const { open, url } = await serveOffline()
    const { page, said, ask, contents } = await open(url)

    const started = await said()
    const before = await contents()
    const [created, { id }] = await ask('POST', annotationsPath, { content: 'Made offline' })
    const [deleted] = await ask('PATCH', `${annotationsPath}1/`, { deleted: true })
    await page.reload()
    const after = await contents()

    expect([started, created, deleted]).toEqual([null, 201, 200])
    expect(before).toHaveLength(6)
    expect(before).toContain('Release 1.0')
    expect(after.toSorted()).toEqual(
      [...before.filter((content) => content !== 'Release 1.0'), 'Made offline'].toSorted(),
    )
    expect((await ask('GET', `${annotationsPath}${id}/`))[1]).toMatchObject({
      content: 'Made offline',
    })
  },
)

withChromium(
  'no request leaves the page, not even without its server, as the log of the browser shows',
  async () => {
    const { open, end } = await openLoggedOffline()
    const served = await servePage()
    const { page, said, ask, contents } = await open(served.url)

    const started = await said()
    await served.stop()
    const [created] = await ask('POST', annotationsPath, { content: 'Without a server' })
    const listed = await contents()
    await page.evaluate(async () => {
      const { stop } = await Reflect.get(globalThis, 'started')
      stop()
      await fetch('https://app.example.com/after-the-end').catch(() => {})
    })
    const sent = await end()

    expect([started, created]).toEqual([null, 201])
    expect(listed).toContain('Without a server')
    expect(sent).toContain(`${served.url}mockServiceWorker.js`)
    // Only the one that was sent after the end.
    expect(sent.filter((address) => !address.startsWith(served.url))).toEqual([
      'https://app.example.com/after-the-end',
    ])
    expect(served.requested.filter((path) => path.startsWith('/api'))).toEqual([])
  },
)

withChromium('a page loads the factories only if it generates rows', async () => {
  const { open } = await openOffline()
  const [plain, generated] = [await servePage(), await servePage()]

  const world = { keys: [{ value: 'phx_all' }], generate: { annotations: 12 } }
  const first = await open(plain.url)
  const second = await open(generated.url, { world, seed: 7 })
  const [, page] = await second.ask('GET', '/api/projects/1/annotations/')

  expect(await first.said()).toBe(null)
  expect(await second.said()).toBe(null)
  expect(page.count).toBe(12)
  expect(plain.requested.filter((path) => path.endsWith('.js')).length).toBeLessThan(
    generated.requested.filter((path) => path.endsWith('.js')).length,
  )
})

withChromium('each tab has its own world by default', async () => {
  const { open, url } = await serveOffline()
  const [first, second] = [await open(url), await open(url)]

  await first.ask('POST', annotationsPath, { content: 'In one' })
  await second.page.reload()

  expect(await first.contents()).toContain('In one')
  expect(await second.contents()).not.toContain('In one')
})

withChromium(
  'with persist: none, a reload starts with a new world, and nothing is stored',
  async () => {
    const { open, url } = await serveOffline()
    const { page, ask, contents } = await open(url, { persist: 'none' })

    await ask('POST', annotationsPath, { content: 'Gone with the reload' })
    await page.reload()

    expect(await contents()).toHaveLength(6)
    expect(await page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0)
  },
)

withChromium(
  'in a page, a sandbox responds by its key, and a scenario is recorded and replayed',
  async () => {
    const { open, url } = await serveOffline()
    const { page, ask } = await open(url)

    await ask('POST', annotationsPath, { content: 'Recorded' })
    const seen = await page.evaluate(async () => {
      const started: RunningInBrowser = await Reflect.get(globalThis, 'started')
      const { simulator } = started
      const { scenario } = simulator.record({ title: 'From a page' })
      const { passed } = await simulator.run(scenario)
      const key = simulator.sandboxes.create().keys.find(({ label }) => label === 'all')
      const headers = { authorization: `Bearer ${key?.value}`, 'content-type': 'application/json' }
      const address = 'https://app.example.com/api/projects/1/annotations/'
      const body = JSON.stringify({ content: 'In the sandbox' })
      const { status } = await fetch(address, { method: 'POST', headers, body })
      const listed = await (await fetch(address, { headers })).text()
      return { passed, status, isThere: listed.includes('In the sandbox') }
    })
    const own = JSON.stringify(await ask('GET', annotationsPath))

    expect(seen).toEqual({ passed: true, status: 201, isThere: true })
    expect(own).toContain('Recorded')
    expect(own).not.toContain('In the sandbox')
  },
)
