import { expect } from 'vitest'
import { withChromium } from '../support/browser/chromium.ts'
import { openDashboard } from './dashboard.ts'
import { axeRules, dashboardViews, lookAt, looks } from './dashboard-views.ts'

withChromium.each(dashboardViews)(
  '$hash is accessible and fits the window in each look',
  async ({ hash, until, arrange }) => {
    const { page, pageErrors } = await openDashboard(hash, { arrange })
    await page.getByText(until).first().waitFor()

    const [wide, ...others] = looks
    const { violations, passes, overflow } = await lookAt(page, wide, (axe) =>
      axe.withTags(axeRules),
    )

    expect([violations, overflow]).toEqual([[], 0])
    expect(passes).toBeGreaterThan(20)
    for (const look of others) {
      // The elements are the same, but for their colours and sizes.
      const rules = ['color-contrast', 'target-size']
      expect.soft(await lookAt(page, look, (axe) => axe.withRules(rules))).toMatchObject({
        violations: [],
        overflow: 0,
      })
    }
    expect(pageErrors).toEqual([])
  },
)
