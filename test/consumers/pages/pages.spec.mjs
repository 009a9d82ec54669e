// What each framework shows. `own.spec.mjs` has what one of them shows alone.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { framework } from './frameworks.mjs'
import { test } from './sandbox.mjs'

const { alone, built, hasForm } = framework

if (hasForm)
  test('the server and the page have one world, which is that of the test', async ({
    page,
    sandbox,
  }) => {
    await page.goto('')
    await expect(page.getByRole('status')).toHaveText('The page counts 6.')
    await page.getByRole('button', { name: 'Add' }).click()
    await expect(page.getByRole('listitem')).toHaveCount(7)
    await page.goto('')

    await expect(page.getByRole('status')).toHaveText('The page counts 7.')
    const { passed } = await sandbox.journal.verify({ operation: 'createAnnotation', count: 1 })
    expect(passed).toBe(true)
  })

if (alone !== undefined)
  test('a page waits for a simulator of its own', async ({ page }) => {
    const messages = []
    page.on('console', (message) => messages.push(message.text()))
    await page.goto(process.env.ALONE_URL)

    await expect(page.getByRole('status')).toHaveText('The page counts 6.')
    expect(messages.join('\n')).toContain('200 GET /api/projects/1')
  })

if (built)
  test('a build for production has nothing of the simulator', () => {
    const code = built.flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /^(?!mockServiceWorker).*\.m?js$/.test(entry.name))
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
    )

    expect(code.filter((text) => text.includes('The page counts')).length).toBeGreaterThan(0)
    expect(code.filter((text) => text.includes('understudy-api'))).toEqual([])
  })
