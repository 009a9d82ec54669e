import { expect, test } from '@playwright/test'
import { connect } from 'understudy-api'

test('an island reaches the server beside it', async ({ page }) => {
  const { journal } = connect(process.env.UNDERSTUDY_URL)
  await page.goto('')

  await expect(page.getByRole('status')).toHaveText('The page counts 6.')
  expect((await journal.verify({ operation: 'listAnnotations', count: 1 })).passed).toBe(true)
})
