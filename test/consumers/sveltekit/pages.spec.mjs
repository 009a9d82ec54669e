import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { test } from './sandbox.mjs'

test('the server and the page have one world, which is that of the test', async ({
  page,
  sandbox,
}) => {
  await page.goto('')
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('listitem')).toHaveCount(7)
  await page.goto('')

  await expect(page.getByRole('status')).toHaveText('The page counts 7.')
  const { passed } = await sandbox.journal.verify({ operation: 'createAnnotation', count: 1 })
  expect(passed).toBe(true)
})

test('a page below a base path finds its worker file, and waits for its simulator', async ({
  page,
}) => {
  await page.goto(`${process.env.OFFLINE_URL}alone`)

  await expect(page.getByRole('status')).toHaveText('The page counts 6.')
})

test('a build for production has nothing of the simulator', () => {
  const built = readdirSync('build', { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && entry.name.endsWith('.js') && entry.name !== 'mockServiceWorker.js',
    )
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))

  expect(built.filter((code) => code.includes('The page counts')).length).toBeGreaterThan(0)
  expect(built.filter((code) => /understudy-api/.test(code))).toEqual([])
})
