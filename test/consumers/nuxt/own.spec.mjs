import { execFile } from 'node:child_process'
import { expect } from '@playwright/test'
import { test } from './sandbox.mjs'

test('the server and the page have one world, which is that of the test', async ({
  page,
  sandbox,
}) => {
  await sandbox.world.add({ annotations: [{ content: 'Launch' }] })
  await page.goto('/')

  await expect(page.getByRole('status')).toHaveText('The page counts 7.')
  await expect(page.getByRole('listitem')).toHaveCount(7)
})

test('tests in the environment of Nuxt reach the server of exec', async () => {
  const printed = await new Promise((resolve) => {
    execFile('vitest', ['run', '--no-color'], (_, stdout, stderr) => resolve(stdout + stderr))
  })

  expect(printed).toMatch(/Tests +1 passed/)
})
