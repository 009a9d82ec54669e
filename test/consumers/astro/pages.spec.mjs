import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { connect } from 'understudy-api'

const listed = { operation: 'listAnnotations', count: 1 }

test('an island reaches the server beside it', async ({ page }) => {
  const { journal } = connect(process.env.UNDERSTUDY_URL)
  await page.goto('./')

  await expect(page.getByRole('status')).toHaveText('The page counts 6.')
  expect((await journal.verify(listed)).passed).toBe(true)
})

test('an island below a base path waits for its simulator', async ({ page }) => {
  const messages = []
  page.on('console', (message) => messages.push(message.text()))
  await page.goto(process.env.OFFLINE_URL)

  await expect(page.getByRole('status')).toHaveText('The page counts 6.')
  expect(messages.filter((text) => text.includes('200 GET /api/projects/1'))).toHaveLength(1)
})

test('a build for production has nothing of the simulator', () => {
  const built = readdirSync('dist', { recursive: true, withFileTypes: true })
    .filter((entry) => /^(?!mockServiceWorker).*\.js$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))

  expect(built.filter((code) => code.includes('The page counts')).length).toBeGreaterThan(0)
  expect(built.filter((code) => code.includes('understudy-api'))).toEqual([])
})
