import { expect, onTestFinished } from 'vitest'
import { listen } from '../../src/server/listen.ts'
import { createSimulator } from '../../src/simulator.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { closeBrowserAfterAll, openDashboard, openPage } from '../support/browser/dashboard.ts'

closeBrowserAfterAll()

withChromium('a server with a token asks for it once per tab', async () => {
  const { page, pageErrors } = await openDashboard('', { listenOptions: { token: 'secret' } })

  await page.getByLabel('Token').fill('guess')
  await page.keyboard.press('Enter')
  await page.getByText('Wrong token.').waitFor()
  await page.getByLabel('Token').fill('secret')
  await page.keyboard.press('Enter')
  await page.getByText('Live').waitFor()
  await page.reload()
  await page.getByText('Live').waitFor()

  // Chromium logs each 401.
  expect(pageErrors.filter((text) => !text.includes('401'))).toEqual([])
})

withChromium('a link may contain the token, which is removed from the address bar', async () => {
  const { page } = await openDashboard('#token=secret%2F1', {
    listenOptions: { token: 'secret/1' },
  })

  await page.getByText('Live').waitFor()

  expect(page.url()).toMatch(/\/__admin\/#\/$/)
})

withChromium('a link may contain a token that is not percent-encoded', async () => {
  const { page } = await openDashboard('#token=50%off', { listenOptions: { token: '50%off' } })

  await page.getByText('Live').waitFor()

  expect(page.url()).toMatch(/\/__admin\/#\/$/)
})

withChromium('a link with the token opens in the tab that asks for it, too', async () => {
  const { page } = await openDashboard('', { listenOptions: { token: 'secret' } })
  await page.getByLabel('Token').waitFor()

  await page.goto(new URL('#token=secret', page.url()).href)
  await page.getByText('Live').waitFor({ timeout: 20_000 })

  expect(page.url()).toMatch(/\/__admin\/#\/$/)
})

withChromium('the dashboard shows a lost connection, and reconnects', async () => {
  const simulator = createSimulator()
  const first = await listen(simulator)
  const page = await openPage()
  await page.goto(`${first.url}/__admin/#/requests`)
  await page.getByText('Live').waitFor()

  await first.close()
  await page.getByText('Disconnected, retrying…').waitFor()
  await simulator.fetch('/api/nowhere/')
  const second = await listen(simulator, { port: first.port })
  onTestFinished(() => second.close())
  await page.getByText('Live').waitFor()

  await page.getByRole('link', { name: '/api/nowhere/' }).waitFor()
})

withChromium(
  'a sandbox in the query is selected, and the main world can be selected again',
  async () => {
    const { page } = await openDashboard('?in=sandbox-1#/overview', {
      arrange: ({ sandboxes }) => sandboxes.create(),
    })

    await page.getByText('World of sandbox-1').waitFor()
    await page.locator('.bar select').selectOption('')
    await page.getByRole('heading', { name: 'World', exact: true }).waitFor()

    expect(page.url()).toMatch(/\/__admin\/#\/overview$/)
  },
)

withChromium('an unknown page or tab says so', async () => {
  const { page, origin } = await openDashboard('#/controls/clock')

  await page.getByText('Page not found.').waitFor()
  await page.goto(`${origin}/__admin/#/world/generate`)
  await page.getByRole('heading', { name: 'World', exact: true }).waitFor()

  await page.getByText('Page not found.').waitFor()
})

withChromium('a link that is followed while the page is being drawn is not lost', async () => {
  const { page } = await openDashboard('#/requests')
  await page.addInitScript(() => {
    const firstPage = new MutationObserver(() => {
      const link = document.querySelector<HTMLAnchorElement>('nav a[href="#/controls"]')
      if (!link) return
      firstPage.disconnect()
      link.click()
    })
    firstPage.observe(document, { childList: true, subtree: true })
  })

  await page.reload()

  await page.getByRole('heading', { name: 'Controls', exact: true }).waitFor({ timeout: 10_000 })
  expect(new URL(page.url()).hash).toBe('#/controls')
})

withChromium('the theme follows the system or the selection, also after a reload', async () => {
  const { page } = await openDashboard('', { theme: 'dark' })
  const background = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await page.getByText('Live').waitFor()

  const system = await background()
  await page.getByLabel('Theme').selectOption('light')
  const selected = await background()
  await page.reload()
  await page.getByText('Live').waitFor()

  expect([system, selected, await background()]).toEqual([
    'rgb(19, 22, 21)',
    'rgb(247, 247, 244)',
    'rgb(247, 247, 244)',
  ])
})

withChromium('a link on another site does not open the dashboard, and says how', async () => {
  const { page, origin } = await openDashboard()
  const other = await listen(createSimulator())
  onTestFinished(() => other.close())

  await page.goto(`${other.url}/__admin/`)
  await page.evaluate(
    (address) => {
      const link = document.createElement('a')
      link.href = address
      link.textContent = 'To the other one'
      document.body.append(link)
    },
    `${origin.replace('127.0.0.1', 'localhost')}/__admin/`,
  )
  await page.getByText('To the other one').click()
  await page.getByText('The dashboard cannot be accessed from another site').waitFor()

  expect(await page.locator('body').innerText()).toContain('Type http://localhost:')
})

withChromium('the dashboard cannot be framed', async () => {
  const { page, origin } = await openDashboard()
  const other = await openPage()
  await other.goto('about:blank')

  await other.setContent(`<iframe src="${origin}/__admin/"></iframe>`)
  await page.waitForTimeout(300)

  expect(await other.frames()[1]?.locator('#app').count()).toBe(0)
})

withChromium('a skip link leads past the navigation, and a new page takes the focus', async () => {
  const { page } = await openDashboard('#/requests')
  await page.getByText('No requests yet').waitFor()
  await page.getByText('clock frozen').waitFor()
  const focused = () =>
    page.evaluate(() => [
      document.activeElement?.tagName,
      document.activeElement?.textContent,
      document.title,
    ])

  await page.keyboard.press('Tab')
  const first = await focused()
  await page.keyboard.press('Enter')
  const skipped = await focused()
  await page.keyboard.press('Tab')
  const next = await page.evaluate(() => document.activeElement?.textContent)
  await page.getByRole('link', { name: 'Controls' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Run from here').waitFor()

  expect([first, skipped, await focused(), next]).toEqual([
    ['BUTTON', 'Skip to content', 'Requests – Understudy'],
    ['H1', 'Requests', 'Requests – Understudy'],
    ['H1', 'Controls', 'Controls – Understudy'],
    'clock frozen',
  ])
})
