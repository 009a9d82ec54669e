import { setTimeout } from 'node:timers/promises'
import { HttpResponse, http } from 'msw'
import { expect } from 'vitest'
import { createSimulator } from '../../src/index.ts'
import { answerPages, simulatorFixtures } from '../../src/playwright.ts'
import { annotationsPath, noon } from '../support/api/paths.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { startHttpServer } from '../support/http-server.ts'
import { openPage } from './dashboard.ts'
import { serveOffline } from './offline.ts'

/** Opens a page of an application whose API server is not running. */
async function openApplication() {
  const page = await openPage()
  await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: 'its own' }))
  const simulator = createSimulator({ clock: noon })
  const end = await answerPages(page, simulator.handlers)
  await page.goto('http://app.example.com/')
  const ask = (method: string, path: string, body?: object) =>
    page.evaluate(
      async ([method, url, text]) => {
        const response = await fetch(url, {
          method,
          headers: { authorization: 'Bearer phx_all', 'content-type': 'application/json' },
          ...(text !== null && { body: text }),
        }).catch((error: Error) => error.message)
        if (typeof response === 'string') return response
        return [response.status, await response.text()] as const
      },
      [method, path, body ? JSON.stringify(body) : null] as const,
    )
  return { simulator, ask, end }
}

withChromium('a page gets responses without a server and without a service worker', async () => {
  const { simulator, ask } = await openApplication()

  const created = await ask('POST', annotationsPath, { content: 'Größer 🦔' })
  const deleted = await ask('PATCH', `${annotationsPath}1/`, { deleted: true })
  const elsewhere = await ask('GET', `https://api.example.com${annotationsPath}?limit=1`)

  expect(created).toEqual([201, expect.stringContaining('"content":"Größer 🦔"')])
  expect(deleted).toEqual([200, expect.stringContaining('"deleted":true')])
  expect(elsewhere).toEqual([200, expect.stringContaining('"count":6')])
  expect(simulator.world.annotations.get(1)?.deleted).toBe(true)
})

withChromium('other requests go to the routes that were registered before', async () => {
  const { ask, end } = await openApplication()

  const other = await ask('GET', '/logo.svg')
  await end()
  const ended = await ask('GET', annotationsPath)

  expect([other, ended]).toEqual([
    [200, 'its own'],
    [200, 'its own'],
  ])
})

withChromium('a page of another origin reads the headers that a server exposes', async () => {
  const page = await openPage()
  await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: 'its own' }))
  const simulator = createSimulator()
  await answerPages(page, simulator.handlers)
  await page.goto('http://app.example.com/')
  simulator.faults.add({
    effect: { status: 429, headers: { 'Retry-After': '30', 'X-Other': '1' } },
  })

  const seen = await page.evaluate(async (path) => {
    const { headers } = await fetch(`https://api.example.com${path}`)
    return ['retry-after', 'x-other'].map((name) => headers.get(name))
  }, annotationsPath)

  expect(seen).toEqual(['30', null])
})

withChromium('own handlers with relative paths answer the origin of the page', async () => {
  const { simulator, ask } = await openApplication()
  simulator.use(http.get('/flags.json', () => HttpResponse.json({ beta: true })))

  const [own, elsewhere] = [
    await ask('GET', '/flags.json'),
    await ask('GET', 'http://api.example.com/flags.json'),
  ]

  expect([own, elsewhere]).toEqual([
    [200, '{"beta":true}'],
    [200, 'its own'],
  ])
})

withChromium('a worker of MSW in the page leaves what it does not handle to the test', async () => {
  const { context, open, url } = await serveOffline()
  const simulator = createSimulator({ world: 'empty' })
  await answerPages(context, simulator.handlers)
  const { ask } = await open(url, { baseUrl: 'https://own.example.com' })

  const [status, { count }] = await ask('GET', annotationsPath)

  expect([status, count, simulator.journal.find().length]).toEqual([200, 0, 1])
})

withChromium(
  'what a page sends after its test, and while it closes, reaches no network',
  async () => {
    const page = await openPage()
    const context = page.context()
    const reached: unknown[] = []
    const url = await startHttpServer((request, response) => {
      reached.push(request.url)
      response.setHeader('content-type', 'text/html').end(restlessPage)
    })
    const [fixture] = simulatorFixtures.simulator
    const info = { titlePath: [], file: 'a.spec.ts', line: 1, attach: async () => {} }
    const outcome = { status: 'passed', expectedStatus: 'passed' }
    const run: Parameters<typeof fixture>[1] = async (simulator) => {
      await page.goto(url)
      await expect.poll(() => simulator.journal.find({ status: 201 }).length).toBeGreaterThan(9)
    }

    await fixture({ context, simulatorOptions: { mistakes: 'off' } }, run, { ...info, ...outcome })
    await context.close()
    await setTimeout(300)

    expect(reached).toEqual(['/'])
  },
)

/** A page and a worker of it that save without a pause, and the page once more when it is left. */
const restlessPage = `<script>
  const url = location.origin + '${annotationsPath}'
  const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
  const save = 'fetch("' + url + '", ' + JSON.stringify({ method: 'POST', headers, body: '{}' }) + ')'
  setInterval(save, 2)
  new Worker(URL.createObjectURL(new Blob(['setInterval(() => ' + save + ', 20)'])))
  addEventListener('pagehide', () => navigator.sendBeacon(url))
</script>`
