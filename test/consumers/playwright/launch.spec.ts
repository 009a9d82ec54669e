import { test as base, expect as baseExpect } from '@playwright/test'
import {
  type SimulatorFixtures,
  simulatorFixtures,
  simulatorMatchers,
} from 'understudy-api/playwright'

const test = base.extend<SimulatorFixtures>(simulatorFixtures)
const expect = baseExpect.extend(simulatorMatchers)
test.use({ simulatorOptions: { world: 'default', clock: '2024-06-15T12:00:00Z' } })

test('a new annotation is listed', async ({ page, simulator }) => {
  await page.goto('/')
  await page.getByLabel('Content').fill('Launch')
  await page.getByRole('button', { name: 'Add' }).click()

  await expect(page.getByRole('listitem')).toHaveCount(7)
  expect(simulator).toHaveReceived({ operation: 'createAnnotation', count: 1 })
  expect(simulator).toHaveNoClientMistakes()
})
