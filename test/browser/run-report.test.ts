import { AxeBuilder } from '@axe-core/playwright'
import { expect } from 'vitest'
import { toReport } from '../../src/analysis/report/format-report.ts'
import { createSimulator } from '../../src/simulator.ts'
import { printReport } from '../../src/utils/reports/printers.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { closeBrowserAfterAll, openPage } from '../support/browser/dashboard.ts'
import { looks, overflowOf } from '../support/browser/dashboard-views.ts'

closeBrowserAfterAll()

withChromium('the page of a report is accessible and fits the window', async () => {
  const simulator = createSimulator()
  const headers = { authorization: 'Bearer phx_all' }
  await simulator.fetch('/api/projects/1/annotations/?serch=x', { headers })
  await simulator.fetch('/api/projects/1/annotations/1/', { headers, method: 'DELETE' })
  const report = toReport(await simulator.report(), 'understudy exec -- client', [])
  const html = printReport(report, 'html')
  const page = await openPage()
  await page.setContent(html)

  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    const { violations, passes } = await new AxeBuilder({ page }).analyze()

    const look = `${colorScheme}, ${width} pixels`
    expect(violations.map(({ id, nodes }) => [look, id, nodes.map(({ html }) => html)])).toEqual([])
    expect(passes.length, look).toBeGreaterThan(10)
    expect(await overflowOf(page), look).toBe(0)
    // No word of the evidence breaks: each has one line.
    const lines = await page.locator('td.documented').evaluateAll((cells) =>
      cells.map((cell) => {
        const range = document.createRange()
        range.selectNodeContents(cell)
        return range.getClientRects().length
      }),
    )
    expect(new Set(lines), look).toEqual(new Set([1]))
  }
})
