// A client in a page meets a broken connection as it does over HTTP: the same outcome, and the same requests in the
// journal. axios and ky send by XMLHttpRequest and fetch.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { RunningInBrowser } from '../../src/browser.ts'
import { createSimulator, type FaultRule, type Simulator } from '../../src/index.ts'
import { answerPages } from '../../src/playwright.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { serve } from '../support/forwarding.ts'
import { openPage } from './dashboard.ts'
import { serveOffline } from './offline.ts'

/** A page, and the simulator that answers it. */
interface Way {
  readonly page: Page
  /** Replaces the faults. */
  set(fault: FaultRule): Promise<unknown>
  /** The statuses of all requests, and how much is said of requests without a response yet. */
  read(): Promise<readonly [statuses: readonly number[], waiting: number]>
}

const inNode = (page: Page, { faults, journal }: Simulator): Way => ({
  page,
  async set(fault) {
    faults.clear()
    faults.add(fault)
  },
  async read() {
    const statuses = journal
      .find({ operation: 'listAnnotations' })
      .map(({ response }) => response.status)
    return [statuses, journal.waiting().length]
  },
})

const ways = {
  async HTTP() {
    const simulator = createSimulator()
    const { url } = await serve({}, simulator)
    const page = await openPage()
    await page.goto(`${url}/none`)
    return inNode(page, simulator)
  },
  async Playwright() {
    const simulator = createSimulator()
    const page = await openPage()
    await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
    await answerPages(page, simulator.handlers)
    await page.goto('http://app.example.com/')
    return inNode(page, simulator)
  },
  async page() {
    const { open, url } = await serveOffline()
    const { page, ask } = await open(url)
    await ask('GET', '/api/projects/')
    return {
      page,
      set: (fault) =>
        page.evaluate(async (rule) => {
          const { simulator }: RunningInBrowser = await Reflect.get(globalThis, 'started')
          simulator.faults.clear()
          simulator.faults.add(JSON.parse(rule))
        }, JSON.stringify(fault)),
      read: () =>
        page.evaluate(async () => {
          const { simulator }: RunningInBrowser = await Reflect.get(globalThis, 'started')
          const { journal } = simulator
          const lists = journal.find({ operation: 'listAnnotations' })
          const statuses = lists.map(({ response }) => response.status)
          return [statuses, journal.waiting().length] as const
        }),
    }
  },
} satisfies Record<string, () => Promise<Way>>

const clients = ['fetch', 'XMLHttpRequest']
const faults: Readonly<Record<string, FaultRule>> = {
  drop: { effect: { drop: true } },
  'cut body': { effect: { cut_bytes: 20 } },
  hold: { effect: { hold: true } },
}

/** What a client meets, which gives up when the page is told to. */
const send = ([client, url]: readonly [client: string, url: string]): Promise<string> => {
  const headers = { authorization: 'Bearer phx_all' }
  const byFetch = async (): Promise<string> => {
    const giving = new AbortController()
    Object.assign(globalThis, { giveUp: () => giving.abort() })
    return (await fetch(url, { headers, signal: giving.signal })).text()
  }
  const byXhr = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      for (const name of ['error', 'abort']) request.addEventListener(name, () => reject({ name }))
      request.onload = () => resolve(request.responseText)
      request.open('GET', url)
      request.setRequestHeader('authorization', headers.authorization)
      Object.assign(globalThis, { giveUp: () => request.abort() })
      request.send()
    })
  return (client === 'fetch' ? byFetch : byXhr)().then(
    () => 'a response',
    ({ name }) => name,
  )
}

async function meetAll({ page, set, read }: Way): Promise<object> {
  const met: Record<string, unknown> = {}
  let seen = 0
  for (const client of clients) {
    for (const [name, fault] of Object.entries(faults)) {
      await set({ operation: 'listAnnotations', ...fault })
      const sent = page.evaluate(send, [client, annotationsPath] as const)
      if (name === 'hold') {
        await expect.poll(async () => (await read())[1]).toBeGreaterThan(0)
        await page.evaluate(() => Reflect.get(globalThis, 'giveUp')())
      }
      const outcome = await sent
      // A server learns a moment later that its client has gone.
      await expect.poll(async () => (await read())[1]).toBe(0)
      const statuses = (await read())[0].slice(seen)
      seen += statuses.length
      // Chromium itself repeats a request if a connection breaks that it had used before.
      met[`${client}, ${name}`] = [outcome, ...new Set(statuses)]
    }
  }
  return met
}

withChromium.for(Object.keys(ways) as (keyof typeof ways)[])('by %s', async (way) => {
  expect(await meetAll(await ways[way]())).toEqual({
    'fetch, drop': ['TypeError', 0],
    'fetch, cut body': ['TypeError', 200],
    'fetch, hold': ['AbortError', 0],
    'XMLHttpRequest, drop': ['error', 0],
    'XMLHttpRequest, cut body': ['error', 200],
    'XMLHttpRequest, hold': ['abort', 0],
  })
})
