import { AxeBuilder } from '@axe-core/playwright'
import { expect } from 'vitest'
import { endBrowserAfterAll, inBrowser, openDashboard } from '../support/browser.ts'
import { busy } from '../support/dashboard-pages.ts'

endBrowserAfterAll()

/** What a person cannot use, in any theme and at any width. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const looks = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 1280 },
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 390 },
] as const

const views = busy.flatMap((view) => looks.map((look) => ({ ...view, ...look })))

inBrowser.each(views)(
  '$hash breaks no rule, $theme and $width pixels wide',
  async ({ hash, until, theme, width, arrange }) => {
    const { page, complaints } = await openDashboard(hash, { theme, width, arrange })
    await page.getByText(until).first().waitFor()

    const { violations, passes } = await new AxeBuilder({ page }).withTags(rules).analyze()
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )

    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    expect(passes.length).toBeGreaterThan(20)
    expect(overflow).toBe(0)
    expect(complaints).toEqual([])
  },
)
