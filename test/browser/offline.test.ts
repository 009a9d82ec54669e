import { expect } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { openOffline } from '../support/browser/offline.ts'
import { servePage } from '../support/browser/served-page.ts'

withChromium(
  'a page lists, creates and soft-deletes annotations, and keeps them after a reload',
  async () => {
    const { open } = await openOffline()
    const { url } = await servePage()
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
    const { open, end } = await openOffline()
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

withChromium('a page can have the policies of a month', async () => {
  const { open } = await openOffline()
  const { url } = await servePage()

  const { page } = await open(url, { asOf: '2024-05' })

  const setting = await page.evaluate(async () => {
    const { simulator } = await Reflect.get(globalThis, 'started')
    return (await simulator()).policies.get('versioning')
  })
  expect(setting).toBe('may_2024')
})

withChromium('a page loads the factories only if it generates rows', async () => {
  const { open } = await openOffline()
  const [plain, generated] = [await servePage(), await servePage()]

  const world = { keys: [{ value: 'phx_all' }], generate: { annotations: 12 } }
  const first = await open(plain.url)
  const second = await open(generated.url, { world, seed: 7 })
  const [, page] = await second.ask('GET', '/api/projects/1/annotations/')

  expect(await first.said()).toBe(null)
  expect(await second.said()).toBe(null)
  // One of the twelve is deleted.
  expect(page.count).toBe(11)
  expect(plain.requested.filter((path) => path.endsWith('.js')).length).toBeLessThan(
    generated.requested.filter((path) => path.endsWith('.js')).length,
  )
})

withChromium('what stops it lets requests out again, and another may start', async () => {
  const { open } = await openOffline()
  const { url } = await servePage()
  const { page, said, contents } = await open(url)
  await said()

  const second = await page.evaluate(() =>
    Reflect.get(globalThis, 'startInBrowser')().catch((error: Error) => error.message),
  )
  const left = await page.evaluate(async () => {
    const { stop } = await Reflect.get(globalThis, 'started')
    stop()
    return fetch('https://app.example.com/api/projects/').catch((error: Error) => error.message)
  })
  await page.evaluate(() =>
    Reflect.get(globalThis, 'startInBrowser')({ quiet: true }).then(() => null),
  )

  expect(second).toBe(
    'Failed to start in the browser: a simulator already runs on this page. Use that one, or call its stop() first.',
  )
  expect(left).toBe('Failed to fetch')
  expect(await contents()).toHaveLength(6)
})
