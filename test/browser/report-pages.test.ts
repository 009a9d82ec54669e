import { readFileSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { listen } from '../../src/server/listen.ts'
import { createSimulator } from '../../src/simulator.ts'
import { closeBrowserAfterAll, withChromium } from '../support/browser/chromium.ts'
import { openPage } from '../support/browser/dashboard.ts'
import { looks, overflowOf } from '../support/browser/dashboard-views.ts'
import { run } from '../support/cli/command.ts'
import { nodeClient } from '../support/cli/node-client.ts'
import { temporaryFolder } from '../support/files.ts'

closeBrowserAfterAll()

const client = nodeClient(`
  await ask('GET', list + '?serch=x')
  await ask('DELETE', list + '1/')
  if (answers[1][0] !== 405) throw new Error('expected 405')`)

async function serveLive(): Promise<string[]> {
  const server = await listen(createSimulator({ profile: 'live' }), { port: 0 })
  onTestFinished(() => server.close())
  return ['--target', server.url, '--key', 'phx_all']
}

const commands: Readonly<Record<string, (file: string) => Promise<string[]>>> = {
  exec: async (file) => ['exec', '--report', file, ...client],
  sweep: async (file) => ['sweep', '--only', 'annotations.delete', '--report', file, ...client],
  compare: async (file) => {
    const flags = ['--rate', '1000', '--allow-writes', '--report', file]
    return ['compare', ...(await serveLive()), ...flags]
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

    for (const { colorScheme, width } of looks) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      const { violations } = await new AxeBuilder({ page }).analyze()

      const look = `${colorScheme}, ${width} pixels`
      expect(
        violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
        look,
      ).toEqual([])
      expect(await overflowOf(page), look).toBe(0)
      expect(await cutTexts(page), look).toEqual([])
    }
  })
}

/** Texts that are wider than their element. The names of columns are hidden in a narrow window. */
function cutTexts(page: Page): Promise<string[]> {
  return page
    .locator('tbody th, td, p, pre, li, h1, h2')
    .evaluateAll((elements) =>
      elements
        .filter((element) => element.scrollWidth > element.clientWidth + 1)
        .map((element) => element.textContent ?? ''),
    )
}
