import { expect, test } from '@playwright/test'

test('the page has the panel of its simulator', async ({ page }) => {
  await page.goto('/')

  await page.getByRole('button', { name: 'Open Understudy' }).click()
  await expect(page.getByRole('link', { name: '/api/projects/1/annotations/' })).toBeVisible()
})
