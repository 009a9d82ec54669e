import { expect } from '@playwright/test'
import { test } from './sandbox.mjs'

for (const added of [1, 2]) {
  test(`the server lists what the test has added: ${added}`, async ({ page, sandbox }) => {
    const rows = page.getByRole('listitem')
    await page.goto('/')
    for (let made = 1; made <= added; made++) {
      await page.getByRole('button', { name: 'Add' }).click()
      await expect(rows).toHaveCount(6 + made)
    }

    const { passed } = await sandbox.journal.verify({ operation: 'createAnnotation', count: added })
    expect(passed).toBe(true)
  })
}

test('the server shows an error', async ({ page, sandbox }) => {
  await sandbox.faults.add({
    operation: 'listAnnotations',
    effect: { error: 'throttled', retry_after_s: 3 },
  })
  await page.goto('/')

  await expect(page.getByRole('alert')).toContainText('3 seconds')
})
