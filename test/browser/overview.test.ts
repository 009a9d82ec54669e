import { expect } from 'vitest'
import type { PolicyOverrides } from '../../src/policies/settings.ts'
import { readStateChanges } from '../../src/sandbox/state-changes.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { closeBrowserAfterAll, openDashboard, openPage } from '../support/browser/dashboard.ts'
import { startServe } from '../support/cli/serve.ts'
import { exec } from '../support/exec.ts'

closeBrowserAfterAll()

withChromium(
  'the first page shows a curl command that works, and the keys with scopes',
  async () => {
    const { page, simulator, pageErrors } = await openDashboard()

    await page.getByRole('button', { name: 'Copy the curl command' }).click()
    await page.getByText('Copied the curl command.').waitFor()
    const command = await page.evaluate(() => navigator.clipboard.readText())
    const { stdout } = await exec('sh', ['-c', `${command} -sS`])
    await page.getByRole('button', { name: 'Copy phx_annotation_read' }).click()
    await page.getByText('Copied phx_annotation_read.').waitFor()
    const row = page.locator('.rows tbody tr', { hasText: 'phx_annotation_read' })

    expect(JSON.parse(stdout).results).not.toEqual([])
    expect(await row.innerText()).toContain('annotation:read')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('phx_annotation_read')
    expect(await page.locator('.counts li').first().innerText()).toMatch(
      new RegExp(`^${simulator.world.annotations.count}\\s+annotations$`),
    )
    expect(pageErrors).toEqual([])
  },
)

withChromium('the curl command works although the first key is limited to a project', async () => {
  const { page } = await openDashboard('', {
    arrange: ({ keys }) => {
      for (const { value } of keys.list()) keys.revoke(value)
      keys.issue({ value: 'phx_none', scopes: ['plugin:read'] })
      keys.issue({ value: 'phx_limited', projects: [2] })
    },
  })

  await page.getByText('projects/2/annotations/').waitFor()
  const command = await page.locator('.code-line code').nth(1).innerText()
  const { stdout } = await exec('sh', ['-c', `${command} -sS`])

  expect(JSON.parse(stdout)).toHaveProperty('results')
})

withChromium('the page names the world that is served', async () => {
  const { url } = await startServe(['--quiet', '--data', 'odd'])
  const page = await openPage()

  await page.goto(`${url}/__admin/`)

  await page.getByText('odd · Profile documented · Understudy').waitFor()
})

withChromium('an unknown page has a link to the first one', async () => {
  const { page } = await openDashboard('#/nowhere')

  await page.getByText('Page not found.').waitFor()
  await page.getByRole('link', { name: 'Go to the first page' }).click()

  await page.getByText('Send a request').waitFor()
})

withChromium('numbers that cannot be loaded are an error, not a dash', async () => {
  const { page } = await openDashboard('#/requests')
  await page.route('**/__admin/world/plugins?*', (route) => route.fulfill({ status: 500 }))

  await page.getByRole('link', { name: 'Overview' }).click()

  await page.locator('.card').getByRole('alert').waitFor()
  await page.unroute('**/__admin/world/plugins?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: /^\d+ plugins$/ }).waitFor()
})

withChromium('each deviation is shown with a way back, and in each header', async () => {
  const { page, simulator } = await openDashboard('', {
    policies: { 'annotations.delete.status': 403 },
    arrange: ({ faults }) => faults.add({ preset: 'flaky' }),
  })
  const badges = page.getByRole('status', { name: 'Changed from the defaults' })

  const texts = async () =>
    (await badges.getByRole('link').allInnerTexts()).map((text) => text.trim())
  await expect.poll(texts).toEqual(['1 policy changed', '3 faults', 'clock frozen'])
  for (const view of ['requests', 'world', 'controls', 'scenarios']) {
    await page.goto(`${page.url().split('#')[0]}#/${view}`)
    await badges.getByRole('link', { name: '3 faults' }).waitFor()
  }
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('button', { name: 'Reset faults' }).click()
  await page.getByText('Nothing: rows, keys, policies, faults and clock').waitFor()
  await page.getByText('As at the start: 1 policy changed, clock frozen.').waitFor()

  expect(simulator.faults.list()).toEqual([])
})

withChromium('everything that differs from the start is listed, with one button back', async () => {
  const { page, simulator } = await openDashboard('', {
    arrange({ world, keys, policies, clock, faults }) {
      world.annotations.update(1, { content: 'Edited' })
      world.annotations.delete(2)
      world.plugins.update(21, { name: 'Edited' })
      keys.revoke('phx_none')
      policies.set(
        Object.fromEntries(policies.list().map(({ id, live }) => [id, live])) as PolicyOverrides,
      )
      clock.advance({ hours: 1 })
      faults.add({ effect: { drop: true } })
    },
  })
  const changes = page.getByRole('region', { name: 'Changed since the start' })
  await changes.getByRole('heading', { name: '3 rows changed' }).waitFor()

  const texts = await changes.locator('.deviation').allInnerTexts()
  for (const name of [
    'Reset keys',
    'Reset rows',
    'Reset policies',
    'Reset faults',
    'Reset clock',
  ]) {
    await changes.getByRole('button', { name, exact: true }).click()
  }
  await changes.getByText('Nothing: rows, keys, policies, faults and clock').waitFor()

  expect(texts.map((text) => text.split(/\s*\n\s*/))).toEqual([
    [
      '3 rows changed',
      'Plugins: 1 changed',
      'Annotations: 1 changed, 1 removed',
      'Reset rows and keys',
    ],
    ['1 key changed', '1 removed', 'Reset keys'],
    [
      'Profile live',
      expect.stringMatching(/^\d+ policies of the profile live in place of documented$/),
      'Reset policies',
    ],
    [
      '1 fault',
      'Every request: the connection drops before the request is carried out',
      'Reset faults',
    ],
    ['Clock frozen', '2024-06-15 13:00:00 UTC, was frozen at 2024-06-15 12:00:00', 'Reset clock'],
  ])
  expect(await readStateChanges(simulator)).toEqual({
    rows: [],
    keys: null,
    policies: [],
    clock: null,
    faults: false,
  })
})

withChromium('a badge shows a fault that was added elsewhere', async () => {
  const { page, simulator } = await openDashboard('#/requests')
  await page.getByText('clock frozen').waitFor()

  simulator.faults.add({ operation: 'listAnnotations', effect: { error: 'throttled' } })
  await page.getByRole('link', { name: '1 fault' }).click()

  await page.getByText('Every listAnnotations request: the response is a 429 (throttled)').waitFor()
})

withChromium('the first sentence of a request says why it was refused', async () => {
  const { page, ask } = await openDashboard('#/requests/1')

  await ask('GET', annotationsPath, { key: 'phx_unknown' })
  const sentence = page.locator('.why .sentence')
  await sentence.waitFor()

  expect(await sentence.innerText()).toMatch(/^401: /)
  expect(await page.locator('.why details').first().getAttribute('open')).toBeNull()
})
