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

/** Keeps the requests of earlier pages, as "Preserve log" in the tools does. */
export function preserveLog(window: Page): Promise<unknown> {
  return window.evaluate(`(async () => {
    const { Settings: { Settings } } = await import('/devtools/core/common/common.js')
    const { SDKSettings } = await import('/devtools/core/sdk/sdk.js')
    Settings.instance().resolve(SDKSettings.preserveNetworkLogSettingDescriptor).set(true)
  })()`)
}

/** Forgets the requests of earlier pages, as "Clear network log" in the tools does. */
export function forgetRequests(window: Page): Promise<unknown> {
  return window.evaluate(`import('/devtools/models/logs/logs.js').then(
    ({ NetworkLog: { NetworkLog } }) => NetworkLog.instance().reset(true))`)
}

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
