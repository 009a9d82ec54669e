import type { Page } from 'playwright-core'
import type { Chromium } from './chromium.ts'

/** Opens the developer tools of a page in another window. They record requests from then on. */
export async function openTools({ browser, tools }: Chromium, page: Page): Promise<Page> {
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
export function exportHar(window: Page, { sanitize }: { sanitize: boolean }): Promise<string> {
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
