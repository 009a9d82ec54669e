import { test as base, expect } from '@playwright/test'
import { type SimulatorFixtures, simulatorFixtures } from 'understudy-api/playwright'

const test = base.extend<SimulatorFixtures>(simulatorFixtures)
test.use({ simulatorOptions: { world: 'default', clock: '2024-06-15T12:00:00Z' } })

test('a new annotation is listed', async ({ page, simulator }) => {
  await page.goto('/')
  await page.getByLabel('Content').fill('Launch')
  await page.getByRole('button', { name: 'Add' }).click()

  await expect(page.getByRole('listitem')).toHaveCount(7)
  expect(simulator.journal.verify({ operation: 'createAnnotation', count: 1 }).passed).toBe(true)
})

test('an error is shown', async ({ page, simulator }) => {
  simulator.faults.add({
    operation: 'createAnnotation',
    effect: { error: 'throttled', retry_after_s: 3 },
  })
  await page.goto('/')
  await page.getByRole('button', { name: 'Add' }).click()

  await expect(page.getByRole('alert')).toContainText('3 seconds')
})
