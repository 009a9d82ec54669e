import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { openPage } from '../support/browser/dashboard.ts'
import { lookAt, looks } from '../support/browser/dashboard-views.ts'
import { run } from '../support/cli/command.ts'
import { nodeClient } from '../support/cli/node-client.ts'
import { temporaryFolder } from '../support/files.ts'
import { serve } from '../support/forwarding.ts'

const client = nodeClient(`
  await ask('GET', list + '?serch=x')
  const { status } = await ask('DELETE', list + '1/')
  if (status !== 405) throw new Error('expected 405')`)

const commands: Readonly<Record<string, (file: string) => Promise<string[]>>> = {
  exec: async (file) => ['exec', '--report', file, ...client],
  sweep: async (file) => ['sweep', '--only', 'annotations.delete', '--report', file, ...client],
  compare: async (file) => {
    const { url } = await serve({}, createSimulator({ profile: 'live' }))
    const flags = ['--key', 'phx_all', '--rate', '1000', '--max-requests', '40', '--report', file]
    return ['compare', '--target', url, ...flags]
  },
  replay: async (file) => {
    const scenario = 'scenarios/soft-delete-and-restore.json'
    return ['replay', scenario, '--profile', 'live', '--report', file]
  },
}

for (const [name, argvOf] of Object.entries(commands)) {
  withChromium(`the page of ${name} is accessible, fits the window and cuts no text`, async () => {
    const file = `${temporaryFolder()}/report.html`
    await run(await argvOf(file))
    const page = await openPage()
    await page.setContent(readFileSync(file, 'utf8'))

    const wide = await lookAt(page, looks[0])
    const cutWhenWide = await cutTexts(page)
    const narrow = await lookAt(page, looks[1], (axe) => axe.withRules(['color-contrast']))

    expect.soft([wide.violations, narrow.violations]).toEqual([[], []])
    expect.soft([wide.overflow, narrow.overflow]).toEqual([0, 0])
    expect.soft([cutWhenWide, await cutTexts(page)]).toEqual([[], []])
  })
}

/** Texts that are wider than their element. */
function cutTexts(page: Page): Promise<string[]> {
  return page
    .locator('pre, h1')
    .evaluateAll((elements) =>
      elements
        .filter((element) => element.scrollWidth > element.clientWidth + 1)
        .map((element) => element.textContent ?? ''),
    )
}
