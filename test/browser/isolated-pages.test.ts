import { HttpResponse, http } from 'msw'
import { expect, onTestFinished } from 'vitest'
import { createSimulator } from '../../src/index.ts'
import { listen } from '../../src/node.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { openPage } from './dashboard.ts'

/** Tries everything that the dashboard may do. */
const hostilePage = `<!doctype html><link rel="icon" href="data:,"><title>running</title><script type="module">
  const attempt = (run) => Promise.resolve().then(run).catch((error) => error.name)
  const post = (init) => fetch('/__admin/reset', { method: 'POST', ...init })
  const results = {
    keys: await attempt(async () => (await fetch('/__admin/keys')).text()),
    opaque: await attempt(async () => (await fetch('/__admin/keys', { mode: 'no-cors' })).text()),
    reset: await attempt(async () => (await post({ mode: 'no-cors' })).text()),
    session: await attempt(() => sessionStorage.length),
    local: await attempt(() => localStorage.length),
    cookie: await attempt(() => document.cookie),
    origin,
  }
  globalThis.results = results
</script>`

withChromium(
  'a page of a handler cannot use the admin API or the storage of the dashboard',
  async () => {
    const handlers = [http.get('*/page', () => HttpResponse.html(hostilePage))]
    const simulator = createSimulator({ handlers })
    simulator.faults.add({ effect: { status: 503 } })
    const server = await listen(simulator)
    onTestFinished(() => server.close())
    const page = await openPage()
    await page.goto(`${server.url}/__admin/`)
    await page.evaluate(() => sessionStorage.setItem('token', 'secret'))

    await page.goto(`${server.url}/page`)
    await page.waitForFunction('globalThis.results')

    expect(await page.evaluate('globalThis.results')).toEqual({
      keys: 'TypeError',
      opaque: '',
      reset: '',
      session: 'SecurityError',
      local: 'SecurityError',
      cookie: 'SecurityError',
      origin: 'null',
    })
    expect(simulator.faults.list()).toHaveLength(1)
  },
)
