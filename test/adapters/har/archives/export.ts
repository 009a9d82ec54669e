import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { HttpResponse, http } from 'msw'
import type { Page } from 'playwright-core'
import { listen, type RunningServer } from '../../../../src/server/listen.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { noon } from '../../../support/api/paths.ts'
import { type Chromium, openChromium } from '../../../support/browser/chromium.ts'

/** What somebody did in a page, as its browser exported it. */
export interface Exported {
  /** By the tools that Chromium has in itself: what its button "Export HAR" writes */
  readonly tools: string
  /** The same, as that button writes it by default: without keys and cookies */
  readonly sanitized: string
  /** By Playwright, which watches the browser from outside */
  readonly playwright: string
}

/** Has a Chromium open the editor beside this file, and work with it. @param folder for what is written */
export async function exportedByChromium(folder: string): Promise<Exported> {
  const server = await listen(createSimulator({ clock: noon }), { handlers: [editor] })
  const chromium = await openChromium()
  try {
    const path = `${folder}/playwright.har`
    const context = await chromium.browser.newContext({ recordHar: { path } })
    const page = await context.newPage()
    const tools = await openTools(chromium, page)
    await work(page, server)
    const whole = await exportBy(tools, false)
    const sanitized = await exportBy(tools, true)
    await context.close()
    return { tools: whole, sanitized, playwright: readFileSync(path, 'utf8') }
  } finally {
    await chromium.browser.close()
    await server.close()
  }
}

/** By one name the page, by another the API: two origins. */
async function work(page: Page, { url, port }: RunningServer): Promise<void> {
  await page.goto(`http://localhost:${port}/editor/index.html`)
  await page.evaluate(`edit(${JSON.stringify(url)})`)
}

const types = { html: 'text/html', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' }

const editor = http.get<{ name: string }>('*/editor/:name', ({ params: { name } }) => {
  const file = fileURLToPath(new URL(`editor/${name}`, import.meta.url))
  const type = types[name.split('.').at(-1) as keyof typeof types]
  return new HttpResponse(readFileSync(file), { headers: { 'content-type': type } })
})

/** Opens the tools for a page, in a window of their own: they note requests from then on. */
async function openTools({ browser, tools }: Chromium, page: Page): Promise<Page> {
  const session = await page.context().newCDPSession(page)
  const { targetInfo } = await session.send('Target.getTargetInfo')
  const window = await (await browser.newContext()).newPage()
  const { host } = new URL(tools)
  await window.goto(
    `${tools}/devtools/devtools_app.html?ws=${host}/devtools/page/${targetInfo.targetId}`,
  )
  // They begin to watch in their own time: what they note before the page is opened they forget when it is.
  for (let attempt = 0; !(await window.evaluate(hasNoted)); attempt++) {
    if (attempt === 400) throw new Error('The tools of Chromium do not see the page.')
    await page.evaluate(`fetch('data:,seen?')`)
    await page.waitForTimeout(25)
  }
  return window
}

// As texts: what transforms modules for tests would change what they import.
/** Whether they have noted a request. */
const hasNoted = `import('/devtools/models/logs/logs.js').then(
  ({ NetworkLog: { NetworkLog } }) => NetworkLog.instance().requests().length > 0)`

/** Calls what their button "Export HAR" calls. */
function exportBy(window: Page, sanitize: boolean): Promise<string> {
  return window.evaluate(`(async () => {
    const { NetworkLog } = await import('/devtools/models/logs/logs.js')
    const { Writer } = await import('/devtools/models/har/har.js')
    const { Progress } = await import('/devtools/core/common/common.js')
    let text = ''
    await Writer.Writer.write(
      { write: async (part) => void (text += part) },
      NetworkLog.NetworkLog.instance().requests(),
      { sanitize: ${sanitize} },
      new Progress.Progress(),
    )
    return text
  })()`)
}
