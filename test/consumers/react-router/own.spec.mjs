import { expect } from '@playwright/test'
import { test } from './sandbox.mjs'

test('the loader shows an error', async ({ page, sandbox }) => {
  await sandbox.faults.add({ operation: 'listAnnotations', effect: { error: 'throttled' } })
  await page.goto('/')

  await expect(page.getByRole('alert')).toContainText('throttled')
})
