import { expect } from 'vitest'
import type { RunningInBrowser } from '../../src/browser.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { serveOffline } from '../support/browser/offline.ts'

withChromium(
  'a request that the page gives up has no response, and is not carried out if it is held',
  async () => {
    const { open, url } = await serveOffline()
    const { page, ask } = await open(url)
    await ask('GET', '/api/projects/')

    const { outcomes, added, entries } = await page.evaluate(async () => {
      const { simulator }: RunningInBrowser = await Reflect.get(globalThis, 'started')
      const { faults, journal, world } = simulator
      journal.clear()
      const before = world.annotations.count
      const path = 'https://app.example.com/api/projects/1/annotations/'
      const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: '{}' }
      /** Gives up when the request waits. */
      const whenHeld = (giveUp: () => void): void => {
        const timer = setInterval(() => {
          if (journal.waiting().length === 0) return
          clearInterval(timer)
          giveUp()
        }, 10)
      }
      const byFetch = (): Promise<string> => {
        const client = new AbortController()
        whenHeld(() => client.abort())
        return fetch(path, { ...init, signal: client.signal }).then(
          ({ status }) => String(status),
          (error) => error.name,
        )
      }
      const byXhr = (): Promise<string> =>
        new Promise((resolve) => {
          const request = new XMLHttpRequest()
          request.open('POST', path)
          for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
          request.onloadend = () => resolve(String(request.status))
          whenHeld(() => request.abort())
          request.send('{}')
        })
      faults.add({ operation: 'createAnnotation', effect: { hold: true } })
      const outcomes = [await byFetch(), await byXhr()]
      faults.clear()
      outcomes.push(await byFetch(), await byXhr())
      const entries = journal.find().map(({ reason, response }) => `${response.status} ${reason}`)
      return { outcomes, added: world.annotations.count - before, entries }
    })

    const ended =
      '0 no response: the fault `fault-1` was applied: the request waits until the fault is removed; the connection ended before that, and the request was not carried out'
    expect(outcomes).toEqual(['AbortError', '0', '201', '201'])
    expect(entries).toEqual([ended, ended, '201 null', '201 null'])
    expect(added).toBe(2)
  },
)
