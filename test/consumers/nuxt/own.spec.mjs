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

test('what the environment of Nuxt cannot is named in its output', async () => {
  const printed = await new Promise((resolve) => {
    execFile('vitest', ['run', '--no-color'], (_, stdout, stderr) => resolve(stdout + stderr))
  })

  expect(printed).toContain('The environment of @nuxt/test-utils replaces fetch')
  expect(printed).toMatch(/Tests +1 failed \| 1 passed/)
})
