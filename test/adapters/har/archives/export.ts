import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { HttpResponse, http } from 'msw'
import type { Page } from 'playwright-core'
import { listen } from '../../../../src/server/listen.ts'
import type { RunningServer } from '../../../../src/server/running-server.ts'
import { createSimulator } from '../../../../src/simulator/simulator.ts'
import { noon } from '../../../support/api/paths.ts'
import { type Chromium, openChromium } from '../../../support/browser/chromium.ts'

/** Opens the developer tools of a page in another window. They record requests from then on. */
async function openTools({ browser, tools }: Chromium, page: Page): Promise<Page> {
  const session = await page.context().newCDPSession(page)
  const { targetInfo } = await session.send('Target.getTargetInfo')
  const window = await (await browser.newContext()).newPage()
  const { host } = new URL(tools)
  await window.goto(
    `${tools}/devtools/devtools_app.html?ws=${host}/devtools/page/${targetInfo.targetId}`,
  )
  // The tools start to record after a while. They forget earlier requests when the page is opened.
  for (let attempt = 0; !(await window.evaluate(hasNoted)); attempt++) {
    if (attempt === 400) throw new Error('The tools of Chromium do not see the page.')
    await page.evaluate(`fetch('data:,seen?')`)
    await page.waitForTimeout(25)
  }
  return window
}

// Scripts are texts, because Vitest would transform their imports.
/** Whether the tools have recorded a request. */
const hasNoted = `import('/devtools/models/logs/logs.js').then(
  ({ NetworkLog: { NetworkLog } }) => NetworkLog.instance().requests().length > 0)`

/** Calls the function of the button "Export HAR". @param sanitize leaves out keys and cookies, as the button does by default */
function exportHar(window: Page, { sanitize }: { sanitize: boolean }): Promise<string> {
  return window.evaluate(`(async () => {
    const { NetworkLog } = await import('/devtools/models/logs/logs.js')
    const { Writer } = await import('/devtools/models/har/har.js')
    const { Progress } = await import('/devtools/core/common/common.js')
    let text = ''
    await Writer.Writer.write(
      { write: async (part) => void (text += part) },
      // The export would wait forever for a request whose page was left.
      NetworkLog.NetworkLog.instance().requests().filter(({ finished }) => finished),
      { sanitize: ${sanitize} },
      new Progress.Progress(),
    )
    return text
  })()`)
}

/** The requests of a page, as HAR archives of several exporters. */
export interface Exported {
  /** Written by the button "Export HAR" of Chromium's developer tools */
  readonly tools: string
  /** The same, as the button writes it by default: without keys and cookies */
  readonly sanitized: string
  /** Written by Playwright */
  readonly playwright: string
}

/** Opens the editor beside this file in Chromium, and uses it. @param folder a folder for temporary files */
export async function exportedByChromium(folder: string): Promise<Exported> {
  const server = await listen(createSimulator({ clock: noon }), { handlers: [editor] })
  const chromium = await openChromium()
  try {
    const path = `${folder}/playwright.har`
    const context = await chromium.browser.newContext({ recordHar: { path } })
    const page = await context.newPage()
    const tools = await openTools(chromium, page)
    await work(page, server)
    const whole = await exportHar(tools, { sanitize: false })
    const sanitized = await exportHar(tools, { sanitize: true })
    await context.close()
    return { tools: whole, sanitized, playwright: readFileSync(path, 'utf8') }
  } finally {
    await chromium.browser.close()
    await server.close()
  }
}

/** The page and the API have different host names, so they have different origins. */
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
