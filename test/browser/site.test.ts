import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import express from 'express'
import { expect, onTestFinished } from 'vitest'
import { withChromium } from '../support/browser/chromium.ts'
import { temporaryFolder } from '../support/files.ts'
import { root } from '../support/root.ts'
import { axeRules, lookAt, looks } from './dashboard-views.ts'
import { openOffline } from './offline.ts'

withChromium(
  'the static page works below a path, with the example of the README and the dashboard',
  async () => {
    const site = join(temporaryFolder(), 'site')
    execFileSync(process.execPath, [join(root, '.tools', 'site.mjs'), site])
    const server = createServer(express().use('/understudy', express.static(site)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const { context } = await openOffline()
    const page = await context.newPage()
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).host))

    await page.goto(`http://127.0.0.1:${port}/understudy/`)
    await page.getByRole('main').getByLabel('Content').fill('Launch')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText('Launch', { exact: true }).waitFor()
    await page.getByLabel('Method').selectOption('DELETE')
    await page.getByLabel('Path').fill('/api/projects/1/annotations/2/')
    await page.getByRole('button', { name: 'Send' }).click()
    const dashboard = page.getByRole('region', { name: 'Dashboard' })
    await dashboard.getByText('swallowed-delete').waitFor()
    const { violations } = await lookAt(page, looks[0], (axe) => axe.withTags(axeRules))
    const statuses = await dashboard.locator('.requests .status').allInnerTexts()

    expect(await page.locator('output').innerText()).toMatch(/^405\n/)
    expect(violations).toEqual([])
    expect(statuses).toEqual(['405', '200', '201', '200'])
    expect(new Set(requested)).toEqual(new Set([`127.0.0.1:${port}`]))
  },
)
