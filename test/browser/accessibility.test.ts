import { expect } from 'vitest'
import { closeBrowserAfterAll, withChromium } from '../support/browser/chromium.ts'
import { openDashboard } from '../support/browser/dashboard.ts'
import { dashboardViews, lookAt, looks } from '../support/browser/dashboard-views.ts'

closeBrowserAfterAll()

const rules: string[] = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

withChromium.each(dashboardViews)(
  '$hash is accessible and fits the window in each look',
  async ({ hash, until, arrange }) => {
    const { page, pageErrors } = await openDashboard(hash, { arrange })
    await page.getByText(until).first().waitFor()

    const wide = await lookAt(page, looks[0], (axe) => axe.withTags(rules))
    // The elements are the same in the dark, but for their colours.
    const narrow = await lookAt(page, looks[1], (axe) => axe.withRules(['color-contrast']))

    expect([wide.violations, narrow.violations]).toEqual([[], []])
    expect([wide.overflow, narrow.overflow]).toEqual([0, 0])
    expect(wide.passes).toBeGreaterThan(20)
    expect(pageErrors).toEqual([])
  },
)
