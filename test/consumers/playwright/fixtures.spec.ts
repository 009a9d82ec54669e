// What launch.spec.ts does not show: every test has a world of its own, also at the same time, and for all its pages.
import { test as base, expect as baseExpect } from '@playwright/test'
import {
  answerPages,
  type SimulatorFixtures,
  simulatorFixtures,
  simulatorMatchers,
} from 'understudy-api/playwright'

const test = base.extend<SimulatorFixtures>(simulatorFixtures)
const expect = baseExpect.extend(simulatorMatchers)

for (const extra of [0, 1, 2]) {
  test(`rows of one test are not those of another: ${extra}`, async ({ context, page, as }) => {
    const body = JSON.stringify({ content: 'More' })
    for (let made = 0; made < extra; made++) {
      await as('all').fetch('/api/projects/1/annotations/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    }
    const other = await context.newPage()
    for (const opened of [page, other]) {
      await opened.goto('/')
      await expect(opened.getByRole('listitem')).toHaveCount(6 + extra)
    }
  })
}

test.describe('a suite', () => {
  test.use({ simulatorOptions: { world: 'empty' } })

  test('begins otherwise', async ({ as }) => {
    const answer = await as('all').fetch('/api/projects/1/annotations/')
    expect((await answer.json()).count).toBe(0)
  })
})

test('a context of its own is answered by hand', async ({ browser, baseURL, simulator }) => {
  const context = await browser.newContext({ baseURL: baseURL as string })
  await answerPages(context, simulator.handlers)
  const page = await context.newPage()
  await page.goto('/')

  await expect(page.getByRole('listitem')).toHaveCount(6)
  await context.close()
})

test('a fault breaks the connection of the page', async ({ page, simulator }) => {
  simulator.faults.add({ operation: 'listAnnotations', effect: { drop: true } })
  const broken = page.waitForEvent('requestfailed')
  await page.goto('/')

  expect((await broken).failure()?.errorText).toBe('net::ERR_CONNECTION_RESET')
})

test('an error is shown', async ({ page, simulator }) => {
  simulator.faults.add({
    operation: 'createAnnotation',
    effect: { error: 'throttled', retry_after_s: 3 },
  })
  await page.goto('/')
  await page.getByRole('button', { name: 'Add' }).click()

  await expect(page.getByRole('alert')).toContainText('3 seconds')
  expect(simulator).not.toHaveReceived({ operation: 'deleteAnnotation' })
  expect(() => expect(simulator).toHaveReceived({ operation: 'deleteAnnotation' })).toThrow(
    'Failed to verify: expected deleteAnnotation at least once, found 0',
  )
})
