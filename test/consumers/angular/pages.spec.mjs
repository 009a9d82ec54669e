import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'

test('a page waits for its simulator, and has its panel', async ({ page }) => {
  await page.goto('/')

  await expect(page.getByRole('status')).toHaveText('The page counts 6.')
  await page.getByRole('button', { name: 'Open Understudy' }).click()
  await expect(page.getByRole('link', { name: '/api/projects/1/annotations/' })).toBeVisible()
})

test('a build for production has nothing of the simulator', () => {
  const files = readdirSync('dist', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))

  expect(files.filter((code) => code.includes('The page counts')).length).toBeGreaterThan(0)
  expect(files.filter((code) => /understudy-api|mockServiceWorker/.test(code))).toEqual([])
})
