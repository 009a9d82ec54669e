import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { HttpResponse, http } from 'msw'
import type { Page } from 'playwright-core'
import { listen } from '../../../../src/server/listen.ts'
import type { RunningServer } from '../../../../src/server/running-server.ts'
import { createSimulator } from '../../../../src/simulator/simulator.ts'
import { noon } from '../../../support/api/paths.ts'
import { openChromium } from '../../../support/browser/chromium.ts'
import { exportHar, openTools } from '../../../support/browser/tools-har.ts'

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
