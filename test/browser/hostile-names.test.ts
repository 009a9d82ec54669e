import { expect } from 'vitest'
import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import type { Simulator } from '../../src/simulator/simulator.ts'
import { authorization } from '../support/api/headers.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { openDashboard } from '../support/browser/dashboard.ts'
import { temporaryFolder } from '../support/files.ts'

/** Markup that runs a script if any page takes it for HTML, in an element, in an attribute and in a script. */
const attack = (place: string): string =>
  `${place}-attack "'><img src=x onerror=attacked=1><svg onload=attacked=1></title></script><script>attacked=1</script>`
const link = 'javascript:globalThis.attacked=1'

/** A world in which everything that has a name has a hostile one. */
function hostileWorld(): object {
  const { projects, organizations, users, keys, dashboard_items, annotations, ...rest } =
    defaultWorld
  const named = <Row extends object>(rows: readonly Row[], field: string): Row[] =>
    rows.map((row) => ({ ...row, [field]: attack(field) }))
  return {
    ...rest,
    organizations: named(organizations, 'name'),
    projects: named(projects, 'name'),
    users: named(users, 'first_name'),
    keys: keys.map((key) => ({ ...key, label: attack(key.label) })),
    dashboard_items: named(dashboard_items, 'name'),
    annotations: named(annotations, 'content'),
    repository: named(named(defaultWorld.repository, 'name'), 'description'),
    plugins: defaultWorld.plugins.map((plugin) => ({
      ...plugin,
      ...{ name: attack('plugin'), description: attack('description'), url: link, icon: link },
      config_schema: [
        { key: 'bucket', name: attack('field'), hint: attack('hint'), type: 'string' },
      ],
    })),
    plugin_configs: defaultWorld.plugin_configs.map((config) => ({
      ...config,
      ...{ name: attack('config'), config: { bucket: attack('value') } },
    })),
    activity: defaultWorld.activity.map((entry) => ({
      ...entry,
      detail: { ...entry.detail, name: attack('activity') },
    })),
  }
}

const scenario = {
  title: attack('title'),
  description: attack('about'),
  steps: [
    {
      ...{
        title: attack('step'),
        as: 'all',
        method: 'GET',
        path: '/api/projects/1/annotations/1/',
      },
      expect: { body: { content: attack('expected') } },
    },
  ],
}

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
  { hash: '#/rows/plugins', until: 'of 4', shows: 'plugin-attack' },
  { hash: '#/rows/users/1', until: 'Save', shows: 'first_name-attack' },
  { hash: '#/keys', until: 'New key', shows: 'all-attack' },
  { hash: '#/state', until: '/__sandbox/sandbox-1', shows: 'Sandboxes' },
  { hash: '#/faults', until: 'matched', shows: '503' },
  { hash: '#/scenarios/hostile', until: '1 step', shows: 'title-attack' },
] as const

withChromium('markup in names, texts and requests stays text in every view', async () => {
  const { page, pageErrors, simulator } = await openDashboard('#/requests', {
    world: hostileWorld() as never,
    listenOptions: { scenarios: temporaryFolder({ 'hostile.json': scenario }) },
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
  await page.getByRole('searchbox').fill('hostile')
  await page.getByRole('button', { name: 'Run all' }).click()
  await page.getByLabel('First difference').waitFor()

  expect(await attacked()).toEqual({ ran: false, elements: 0, isMarkup: false })
  expect(simulator.journal.find()).toHaveLength(4)
  expect(pageErrors).toEqual([])
})

withChromium(
  'the content security policy refuses scripts and connections of injected markup',
  async () => {
    const { page } = await openDashboard('#/requests')
    await page.getByRole('link', { name: 'Rows' }).waitFor()

    const refused = await page.evaluate(async () => {
      const directives: string[] = []
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
        directives.push(effectiveDirective),
      )
      document.body.insertAdjacentHTML(
        'beforeend',
        '<p style="color:red" onclick="attacked=1">x</p>',
      )
      document.querySelector<HTMLElement>('p[onclick]')?.click()
      const script = document.createElement('script')
      script.text = 'globalThis.attacked = 1'
      document.body.append(script)
      await fetch('https://evil.example.com/').catch(() => {})
      const image = new Image()
      image.src = 'https://evil.example.com/x.png'
      await new Promise((resolve) => image.addEventListener('error', resolve))
      return { directives: [...new Set(directives)].sort(), ran: 'attacked' in globalThis }
    })

    expect(refused).toEqual({
      directives: [
        'connect-src',
        'img-src',
        'script-src-attr',
        'script-src-elem',
        'style-src-attr',
      ],
      ran: false,
    })
  },
)
