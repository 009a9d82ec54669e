import { expect } from 'vitest'
import { withChromium } from '../support/browser/chromium.ts'
import { findCores, received, requests, rowPath } from '../support/planted-secrets.ts'
import { openDashboard } from './dashboard.ts'

// What a page shows can be in a screenshot of an issue. test/cli/planted-secrets.test.ts has all other ways out.

withChromium('no view of the dashboard shows a planted secret', async () => {
  const { page, simulator, pageErrors } = await openDashboard('#/requests', {
    profile: 'live',
    arrange: async (simulator) => {
      for (const [index, effect] of received.entries()) {
        simulator.faults.add({ path: rowPath(index), effect })
      }
      for (const { method = 'GET', target = '', headers, body = null } of requests) {
        const all = { authorization: 'Bearer phx_all', ...headers }
        await (await simulator.fetch(target, { method, headers: all, body })).text()
      }
    },
  })
  const entries = simulator.journal.find().filter(({ id }) => id % 9 === 0)
  const hashes = ['#/requests', '#/state', ...entries.map(({ id }) => `#/requests/${id}`)]

  const shown: Record<string, string[]> = {}
  for (const hash of hashes) {
    await page.evaluate((next) => location.assign(next), hash)
    const id = /\d+$/.exec(hash)
    if (id) await page.getByText(`Request ${id}`, { exact: false }).first().waitFor()
    else await page.getByRole('link', { name: 'Rows' }).waitFor()
    const cores = findCores(await page.content())
    if (cores.length > 0) shown[hash] = cores
  }

  expect(shown).toEqual({})
  expect(pageErrors).toEqual([])
})
