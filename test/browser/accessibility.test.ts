import { AxeBuilder } from '@axe-core/playwright'
import { expect } from 'vitest'
import { closeBrowserAfterAll, withChromium } from '../support/browser/chromium.ts'
import { openDashboard } from '../support/browser/dashboard.ts'
import { dashboardViews, looks, overflowOf } from '../support/browser/dashboard-views.ts'

closeBrowserAfterAll()

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

withChromium.each(dashboardViews)(
  '$hash is accessible and fits the window in each look',
  async ({ hash, until, arrange }) => {
    const { page, pageErrors } = await openDashboard(hash, { arrange })
    await page.getByText(until).first().waitFor()

    for (const { colorScheme, width } of looks) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      const { violations, passes } = await new AxeBuilder({ page }).withTags(rules).analyze()

      const look = `${colorScheme}, ${width} pixels`
      expect(violations.map(({ id, nodes }) => [look, id, nodes.map(({ html }) => html)])).toEqual(
        [],
      )
      expect(passes.length, look).toBeGreaterThan(20)
      expect(await overflowOf(page), look).toBe(0)
    }
    expect(pageErrors).toEqual([])
  },
)
