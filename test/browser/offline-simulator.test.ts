import { expect } from 'vitest'
import type { RunningInBrowser } from '../../src/browser.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { openOffline } from '../support/browser/offline.ts'
import { servePage } from '../support/browser/served-page.ts'

const scripts = (requested: readonly string[]): number =>
  new Set(requested.filter((path) => path.endsWith('.js'))).size

withChromium(
  'the page loads the whole simulator on demand, around the part that already responds',
  async () => {
    const { open } = await openOffline()
    const { url, requested } = await servePage()
    const { page, ask } = await open(url)

    const [, { id }] = await ask('POST', annotationsPath, { content: 'Asked before' })
    const atOnce = scripts(requested)
    const seen = await page.evaluate(async () => {
      const started: RunningInBrowser = await Reflect.get(globalThis, 'started')
      const simulator = await started.simulator()
      simulator.faults.add({ operation: 'listPlugins', effect: { error: 'throttled' } })
      simulator.actors.add({
        after: { operation: 'listAnnotations' },
        steps: [{ create: 'annotations', row: { content: 'By an actor' } }],
      })
      simulator.clock.set('2031-01-01T00:00:00Z')
      return {
        isOne: simulator === (await started.simulator()),
        requested: simulator.journal.find().map(({ operation }) => operation),
        why: simulator.why('annotation', 1) !== undefined,
      }
    })
    await ask('GET', annotationsPath)
    const contents = (await ask('GET', annotationsPath))[1].results as { content: string }[]
    const [, made] = await ask('POST', annotationsPath, { content: 'Later' })
    const [throttled] = await ask(
      'GET',
      '/api/organizations/018f2b6e-0000-7000-8000-00000000000a/plugins/',
    )

    expect(seen).toEqual({
      isOne: true,
      requested: ['createAnnotation'],
      why: true,
    })
    expect(scripts(requested)).toBeGreaterThan(atOnce)
    expect(contents.map(({ content }) => content)).toEqual(
      expect.arrayContaining(['Asked before', 'By an actor']),
    )
    expect(made).toMatchObject({ created_at: '2031-01-01T00:00:00Z' })
    expect(throttled).toBe(429)
    expect(id).toBe(9)
  },
)

withChromium(
  'in a page, a sandbox responds by its key, and a scenario is recorded and replayed',
  async () => {
    const { open } = await openOffline()
    const { url } = await servePage()
    const { page, ask } = await open(url)

    await ask('POST', annotationsPath, { content: 'Recorded' })
    const seen = await page.evaluate(async () => {
      const started: RunningInBrowser = await Reflect.get(globalThis, 'started')
      const simulator = await started.simulator()
      const { scenario } = simulator.record({ title: 'From a page' })
      const { passed } = await simulator.replay(scenario)
      const key = simulator.sandboxes.create().keys.find(({ label }) => label === 'all')
      const headers = {
        authorization: `Bearer ${key?.value}`,
        'content-type': 'application/json',
      }
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

withChromium(
  'a world that the page saved is not validated, and one that was changed by hand is',
  async () => {
    const { open } = await openOffline()
    const { url, requested } = await servePage()
    const { page, said, ask, contents } = await open(url)
    await ask('POST', annotationsPath, { content: 'Saved' })
    const atOnce = scripts(requested)

    await page.reload()
    const reloaded = [await said(), scripts(requested), (await contents()).includes('Saved')]
    await page.evaluate(() => {
      const text = sessionStorage.getItem('understudy') as string
      sessionStorage.setItem('understudy', text.replace('"Saved"', '7'))
    })
    await page.reload()

    const refused = await said()

    expect(reloaded).toEqual([null, atOnce, true])
    expect(refused).toMatch(
      /^Failed to read the storage item "understudy"\..*expected string or null, got 7$/s,
    )
  },
)
