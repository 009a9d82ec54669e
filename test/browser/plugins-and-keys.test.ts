import { expect } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { closeBrowserAfterAll, openDashboard } from '../support/browser/dashboard.ts'

closeBrowserAfterAll()

withChromium('the source of a plugin is shown file by file', async () => {
  const { page } = await openDashboard('#/world/plugins', {
    arrange: ({ world }) =>
      world.plugins.update(21, {
        source: { 'index.ts': 'export const a = 1', 'plugin.json': '{}' },
      }),
  })

  await page.getByRole('link', { name: 'Bucket export' }).click()
  await page.getByRole('button', { name: 'index.ts' }).click()
  const code = await page.getByLabel('Source of index.ts').innerText()
  await page.getByRole('button', { name: 'plugin.json' }).click()

  expect([code, await page.getByLabel('Source of plugin.json').innerText()]).toEqual([
    'export const a = 1',
    '{}',
  ])
})

withChromium('a plugin is removed only after a confirmation', async () => {
  const { page, simulator } = await openDashboard('#/world/plugins')
  const before = simulator.world.plugins.count

  await page.getByRole('button', { name: 'Remove plugin 24' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  const afterEscape = simulator.world.plugins.count
  await page.getByRole('button', { name: 'Remove plugin 24' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('Row 24 removed.').waitFor()

  expect([afterEscape, simulator.world.plugins.get(24)]).toEqual([before, undefined])
})

withChromium(
  'a row of any list is edited as JSON; invalid JSON is an error in the dialog',
  async () => {
    const { page, simulator } = await openDashboard('#/world/others/users')
    const dialog = page.getByRole('dialog')

    await page.getByRole('button', { name: 'Edit row 1 of users' }).click()
    await dialog.getByLabel('JSON').fill('[')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Invalid JSON: ').waitFor()
    await dialog.getByLabel('JSON').fill('"Ada"')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter a JSON object.').waitFor()
    await dialog.getByLabel('JSON').fill('{ "first_name": "Grace" }')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Row 1 of users saved.').waitFor()

    expect(simulator.world.users.get(1)?.first_name).toBe('Grace')
  },
)

withChromium('the form of a plugin has every field that it stores', async () => {
  const { page, simulator } = await openDashboard('#/world/plugins')

  await page.getByRole('button', { name: 'Edit plugin 21' }).click()
  await page.getByLabel('plugin_type').fill('source')
  await page.getByLabel('icon').fill('https://example.com/icon.png')
  await page.getByLabel('metrics, as JSON').fill('{"sent": "sum"}')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Plugin 21 saved.').waitFor()

  expect(simulator.world.plugins.get(21)).toMatchObject({
    plugin_type: 'source',
    icon: 'https://example.com/icon.png',
    metrics: { sent: 'sum' },
    capabilities: { methods: ['exportEvents'] },
  })
})

withChromium('a key is issued and revoked; an invalid value is an error at its field', async () => {
  const { page, ask, simulator } = await openDashboard('#/world/keys')
  const status = async () => (await ask('GET', annotationsPath, { key: 'phx_mine' })).status

  await page.getByRole('button', { name: 'Issue key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Label').fill('mine')
  await dialog.getByLabel('Value').fill('phx_all')
  await dialog.getByLabel('Full access').uncheck()
  await dialog.getByLabel('annotation:read').check()
  await dialog.getByLabel('Web shop').check()
  await dialog.getByRole('button', { name: 'Issue' }).click()
  await dialog.getByText('Expected an unused value').waitFor()
  const invalid = await dialog.getByLabel('Value').getAttribute('aria-invalid')
  await dialog.getByLabel('Value').fill('phx_mine')
  await dialog.getByRole('button', { name: 'Issue' }).click()
  await page.getByText('Key phx_mine issued.').waitFor()
  const issued = await status()
  const row = simulator.keys.list().find(({ value }) => value === 'phx_mine')
  await page.getByRole('button', { name: 'Revoke key mine' }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByText('Key mine revoked.').waitFor()

  expect([invalid, issued, await status()]).toEqual(['true', 200, 401])
  expect(row).toMatchObject({ scopes: ['annotation:read'], projects: [1], organizations: [] })
})
