import { expect } from 'vitest'
import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import type { Simulator } from '../../src/simulator/simulator.ts'
import { authorization } from '../support/api/headers.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { openDashboard } from './dashboard.ts'

/** Markup that runs a script if any page takes it for HTML, in an element, in an attribute and in a script. */
const attack = (place: string): string =>
  `${place}-attack "'><img src=x onerror=attacked=1><svg onload=attacked=1></title></script><script>attacked=1</script>`
const link = 'javascript:globalThis.attacked=1'

const named = ['name', 'first_name', 'content', 'description', 'hint', 'bucket']

/** A world in which everything that has a name has a hostile one. */
const hostileWorld = JSON.stringify(defaultWorld, (field, value) => {
  if (named.includes(field)) return attack(field)
  if (field === 'label') return attack(value)
  return field === 'icon' || field === 'url' ? link : value
})

/** Sends hostile text in a body, a path, a query and a header, and gets one from a fault. */
async function sendHostileRequests(simulator: Simulator): Promise<void> {
  const headers = { ...authorization('phx_all'), 'content-type': 'application/json' }
  const list = '/api/projects/1/annotations/'
  const body = JSON.stringify({ content: attack('body'), date_marker: attack('marker') })
  await simulator.fetch(list, { method: 'POST', headers, body })
  await simulator.fetch(`${list}?search=${encodeURIComponent(attack('search'))}`, {
    headers: { ...headers, 'user-agent': attack('agent') },
  })
  await simulator.fetch(`/api/${encodeURIComponent(attack('path'))}/`, { headers })
  simulator.sandboxes.create()
  simulator.faults.add({ effect: { status: 503, body: attack('fault') } })
  await simulator.fetch(list, { headers })
}

const views = [
  { hash: '#/requests', until: 'Request and reason', shows: 'img src=x' },
  { hash: '#/requests/1', until: 'Why this response', shows: 'body-attack' },
  { hash: '#/requests/2', until: 'Why this response', shows: 'agent-attack' },
  { hash: '#/requests/4', until: 'Why this response', shows: 'all-attack' },
  { hash: '#/rows', until: 'of 8', shows: 'content-attack' },
  { hash: '#/rows/plugins', until: 'of 4', shows: 'name-attack' },
  { hash: '#/rows/users/1', until: 'Save', shows: 'first_name-attack' },
  { hash: '#/keys', until: 'New key', shows: 'all-attack' },
  { hash: '#/state', until: '/__sandbox/sandbox-1', shows: 'Sandboxes' },
  { hash: '#/faults', until: 'matched', shows: '503' },
] as const

withChromium('markup in names, texts and requests stays text in every view', async () => {
  const { page, pageErrors, simulator } = await openDashboard('#/requests', {
    world: JSON.parse(hostileWorld),
    arrange: sendHostileRequests,
  })
  const attacked = () =>
    page.evaluate(() => ({
      ran: 'attacked' in globalThis,
      elements: document.querySelectorAll(
        'img:not([src^="data:"]), iframe, object, script:not([src]), [onload], [onerror], [href^="javascript:" i]',
      ).length,
      isMarkup: document.title.includes('img'),
    }))

  for (const { hash, until, shows } of views) {
    await page.evaluate((next) => location.assign(next), hash)
    await page.getByText(until).first().waitFor()
    await expect.poll(() => page.locator('body').textContent(), { message: hash }).toContain(shows)
    expect.soft(await attacked(), hash).toEqual({ ran: false, elements: 0, isMarkup: false })
  }

  expect(simulator.journal.find()).toHaveLength(4)
  expect(pageErrors).toEqual([])
})
