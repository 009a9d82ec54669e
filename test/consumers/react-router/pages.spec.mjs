import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { test } from './sandbox.mjs'

test('loader, action and page have one world, which is that of the test', async ({
  page,
  sandbox,
}) => {
  await page.goto('/')
  await expect(page.getByRole('status')).toHaveText('The page counts 6.')
  await page.getByRole('button', { name: 'Add' }).click()

  await expect(page.getByRole('listitem')).toHaveCount(7)
  const { passed } = await sandbox.journal.verify({ operation: 'createAnnotation', count: 1 })
  expect(passed).toBe(true)
})

test('the loader shows an error', async ({ page, sandbox }) => {
  await sandbox.faults.add({ operation: 'listAnnotations', effect: { error: 'throttled' } })
  await page.goto('/')

  await expect(page.getByRole('alert')).toContainText('throttled')
})

test('the page waits for a simulator of its own', async ({ page }) => {
  const messages = []
  page.on('console', (message) => messages.push(message.text()))
  await page.goto(process.env.OFFLINE_URL)

  await expect(page.getByRole('status')).toHaveText('The page counts 6.')
  expect(messages.filter((text) => text.includes('200 GET /api/projects/1'))).toHaveLength(1)
})

test('a build for production has nothing of the simulator', () => {
  const built = readdirSync('build', { recursive: true, withFileTypes: true })
    .filter((entry) => /^(?!mockServiceWorker).*\.js$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))

  expect(built.filter((code) => code.includes('The page counts')).length).toBeGreaterThan(0)
  expect(built.filter((code) => code.includes('understudy-api'))).toEqual([])
})
