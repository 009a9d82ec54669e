import type { CDPSession, Page } from 'playwright-core'
import type { Simulator } from '../../../../src/index.ts'
import {
  announceTooLittle,
  announceTooMuch,
  badGateway,
  cutBody,
  type FailingService,
  loseResponse,
  neverRespond,
  respond,
  respondLate,
} from './failing-service.ts'
import type { PageName } from './pages.ts'

/** What somebody does with a page of a service, and what goes wrong meanwhile. */
export interface Session {
  readonly name: string
  readonly page: PageName
  /** How many responses the network or the service loses. A page that gives up a request is not counted */
  readonly lost: number
  /** A simulator of the live profile on a port, or the service that answers badly */
  readonly live?: (hand: Hand & { readonly simulator: Simulator }) => Promise<void>
  readonly failing?: (hand: Hand & { readonly service: FailingService }) => Promise<void>
}

export interface Hand {
  readonly page: Page
  readonly cdp: CDPSession
  /** Runs a script in the page. */
  run(script: string): Promise<unknown>
}

export const sessions: readonly Session[] = [
  {
    name: 'a form and its list',
    page: 'form',
    lost: 0,
    live: async ({ page }) => {
      for (const content of ['Launch', 'Launch day', '']) {
        const count = await page.locator('li').count()
        await page.getByLabel('Content').fill(content)
        await page.getByRole('button', { name: 'Add' }).click()
        await page.locator('li').nth(count).waitFor()
      }
    },
  },
  {
    name: 'a page of React: added, deleted, opened again',
    page: 'react',
    lost: 0,
    live: async ({ page }) => {
      await page.getByLabel('Content').fill('Launch')
      await page.getByRole('button', { name: 'Add' }).click()
      await page.locator('li').nth(6).waitFor()
      await page.getByRole('button', { name: 'Delete' }).nth(3).click()
      await page.locator('li').nth(6).waitFor({ state: 'detached' })
      await page.reload()
      await page.locator('li').nth(5).waitFor()
    },
  },
  {
    name: 'a slow network',
    page: 'client',
    lost: 0,
    live: async ({ cdp, run }) => {
      await cdp.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 300,
        downloadThroughput: 10_000,
        uploadThroughput: 10_000,
      })
      await run(`(async () => {
        await send('GET', list + '?limit=2')
        const { id } = await send('POST', list, { body: { content: 'Launch' } })
        await send('PATCH', list + id + '/', { body: { content: 'Launch day' } })
        await send('GET', list + '?search=launch')
      })()`)
    },
  },
  {
    name: 'many requests at once',
    page: 'client',
    lost: 0,
    live: async ({ run }) => {
      await run(`Promise.all([1, 2, 3, 8].map((id) => send('GET', list + id + '/')))`)
      await run(`Promise.all(['A', 'B', 'C'].map((content) =>
        send('POST', list, { body: { content, date_marker: '2024-06-20T09:00:00Z' } })))`)
      await run(`Promise.all([0, 3, 6].map((offset) =>
        send('GET', list + '?limit=3&offset=' + offset)))`)
    },
  },
  {
    name: 'refused requests',
    page: 'client',
    lost: 0,
    live: async ({ run }) => {
      await run(`(async () => {
        await send('GET', list, { key: 'phx_unknown' })
        await send('POST', list, { key: 'phx_annotation_read', body: { content: 'No' } })
        await send('POST', list, { body: { content: 'x'.repeat(500) } })
        await send('POST', list, { body: { content: 'Launch', creation_type: 'NEW' } })
        await send('GET', list + '999999/')
        await send('DELETE', list + '1/')
        await send('GET', '/api/projects/77/annotations/')
        await send('GET', list + '1/')
      })()`)
    },
  },
  {
    name: 'canceled searches, a canceled page, blocked requests',
    page: 'client',
    lost: 0,
    live: async ({ page, cdp, simulator, run }) => {
      await cdp.send('Network.setBlockedURLs', { urls: ['*/projects/2/*'] })
      await run(`send('GET', '/api/projects/2/annotations/')`)
      simulator.faults.add({ operation: 'listAnnotations', effect: { delay_ms: 300 } })
      // Each letter cancels the search for the letters before it.
      await run(`(async () => {
        for (const text of ['R', 'Re', 'Rel']) {
          globalThis.search?.abort()
          globalThis.search = new AbortController()
          fetch(list + '?search=' + text, {
            headers: { authorization: 'Bearer phx_all' }, signal: search.signal,
          }).catch(() => {})
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
        await new Promise((resolve) => setTimeout(resolve, 400))
      })()`)
      await run(`void send('GET', list)`)
      await page.waitForTimeout(100)
      await page.reload()
      await run(`send('GET', list)`)
    },
  },
  {
    name: 'offline while something is added',
    page: 'client',
    lost: 1,
    live: async ({ page, run }) => {
      await run(`send('GET', list)`)
      await page.context().setOffline(true)
      await run(`send('POST', list, { body: { content: 'Launch' } })`)
      await page.context().setOffline(false)
      await run(`send('POST', list, { body: { content: 'Launch' } })`)
      await run(`send('GET', list)`)
    },
  },
  {
    name: 'the response of a create is lost; a retry makes a duplicate',
    page: 'client',
    lost: 1,
    failing: async ({ service, run }) => {
      await run(`send('GET', list)`)
      service.mishaps.push({ method: 'POST', mishap: loseResponse })
      await run(`send('POST', list, { body: { content: 'Launch' }, tries: 2 })`)
      await run(`send('GET', list + '?search=launch')`)
    },
  },
  {
    name: 'a create times out; a retry makes a duplicate',
    page: 'client',
    lost: 1,
    failing: async ({ service, run }) => {
      await run(`send('GET', list)`)
      service.mishaps.push({ method: 'POST', mishap: neverRespond })
      await run(`send('POST', list, { body: { content: 'Launch' }, timeout: 400, tries: 2 })`)
      await run(`send('GET', list)`)
    },
  },
  {
    name: 'errors of the server and of its proxy, and a rate limit',
    page: 'client',
    lost: 0,
    failing: async ({ service, run }) => {
      const crash = {
        type: 'server_error',
        code: 'error',
        detail: 'A server error occurred.',
        attr: null,
      }
      const throttled = {
        ...crash,
        type: 'throttled_error',
        code: 'throttled',
        detail: 'Slow down.',
      }
      service.mishaps.push(
        { method: 'GET', mishap: respond(500, crash) },
        { method: 'GET', mishap: badGateway },
        { method: 'GET', mishap: respond(503, '', { 'retry-after': '0' }) },
        { method: 'POST', mishap: respond(429, throttled, { 'retry-after': '1' }) },
      )
      await run(`send('GET', list, { tries: 5 })`)
      await run(`send('POST', list, { body: { content: 'Launch' }, tries: 3 })`)
      await run(`send('GET', list)`)
    },
  },
  {
    name: 'broken bodies',
    page: 'client',
    lost: 3,
    failing: async ({ service, run }) => {
      service.mishaps.push(
        { method: 'GET', mishap: announceTooMuch },
        { method: 'GET', mishap: cutBody },
        { method: 'GET', mishap: loseResponse },
      )
      await run(`send('GET', list, { tries: 4 })`)
      service.mishaps.push({ method: 'GET', mishap: announceTooLittle })
      await run(`send('GET', list + '101/')`)
      await run(`send('PATCH', list + '101/', { body: { content: 'Released' } })`)
      await run(`send('GET', list + '101/')`)
    },
  },
  {
    name: 'a slow server, and the page of a login',
    page: 'client',
    lost: 0,
    failing: async ({ service, run }) => {
      service.mishaps.push(
        { method: 'GET', mishap: respondLate(2_500) },
        { method: 'GET', mishap: respond(302, '', { location: '/login' }) },
        { method: 'GET', mishap: respond(200, '<!doctype html><title>Log in</title>') },
      )
      await run(`send('GET', list)`)
      await run(`send('GET', list)`)
      await run(`send('GET', list)`)
      await run(`send('GET', list + '102/')`)
    },
  },
]
