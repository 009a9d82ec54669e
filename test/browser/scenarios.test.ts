import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { endBrowserAfterAll, inBrowser, openDashboard } from '../support/browser/dashboard.ts'
import { root } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'

endBrowserAfterAll()
const stories = readdirSync(join(root, 'scenarios')).filter((name) => !name.includes('schema'))

inBrowser('all stories of the package are run, and hold; the world stays as it is', async () => {
  const { page, simulator } = await openDashboard('#/scenarios')
  const before = simulator.world.toJSON()

  await page.getByRole('button', { name: `Run all ${stories.length}` }).click()
  await page.getByText(`${stories.length} held`).waitFor()

  expect(await page.locator('.outcome.held').count()).toBe(stories.length)
  expect(simulator.world.toJSON()).toEqual(before)
})

inBrowser('a story tells of its steps, and of the first difference side by side', async () => {
  const folder = temporaryFolder({
    'lost.json': {
      title: 'The content is lost',
      steps: [
        {
          title: 'Read it',
          as: 'all',
          method: 'GET',
          path: '/api/projects/1/annotations/1/',
          expect: { status: 200 },
        },
        {
          title: 'Read it again',
          as: 'all',
          method: 'GET',
          path: '/api/projects/1/annotations/1/',
          expect: { body: { content: 'Something else' } },
        },
      ],
    },
    'broken.json': { title: 'Broken', steps: [{}] },
  })
  const { page } = await openDashboard('#/scenarios/lost', { serving: { scenarios: folder } })
  const fault = await page.getByText('broken.json').innerText()

  await page.getByLabel('Scenario', { exact: true }).getByRole('button', { name: 'Run' }).click()
  const difference = page.getByLabel('First difference')
  await difference.waitFor()

  expect(fault).toContain('steps[0]')
  expect(await difference.locator('h3').innerText()).toBe('First difference: step 2, body.content')
  expect(await difference.getByLabel('Expected').innerText()).toBe('Something else')
  expect(await difference.getByLabel('Got').innerText()).toBe('Release 1.0')
  expect(await page.locator('.steps .outcome').allInnerTexts()).toEqual(['held', 'differed'])
})

inBrowser('steps show while a slow story is still at work', async () => {
  const folder = temporaryFolder({
    'slow.json': {
      title: 'Slow',
      steps: [
        { as: 'all', method: 'GET', path: '/api/projects/' },
        { fault: { effect: { delay_ms: 1_500 } } },
        { as: 'all', method: 'GET', path: '/api/projects/' },
      ],
    },
  })
  const { page } = await openDashboard('#/scenarios/slow', { serving: { scenarios: folder } })

  await page.getByLabel('Scenario', { exact: true }).getByRole('button', { name: 'Run' }).click()
  const steps = page.locator('.steps .outcome')
  await page.locator('.steps .outcome.held').nth(1).waitFor()
  const midway = await steps.allInnerTexts()
  await page.getByText('1 held').waitFor()

  expect(midway).toEqual(['held', 'held', 'not run'])
  expect(await steps.allInnerTexts()).toEqual(['held', 'held', 'held'])
})

inBrowser('requests that are selected become a scenario that holds', async () => {
  const { page, ask, simulator } = await openDashboard()
  const list = '/api/projects/1/annotations/'
  await ask('GET', '/api/projects/')
  await ask('GET', `${list}1/`)
  await ask('GET', `${list}3/`)
  await page.getByText('3 shown').waitFor()

  await page.getByLabel('Select request 1').check()
  await page.getByLabel('Select request 3').check()
  await page.getByRole('button', { name: 'Save as scenario…' }).click()
  await page.getByLabel('Title').fill('Two are read')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save', exact: true }).click(),
  ])
  const scenario = JSON.parse(readFileSync(await download.path(), 'utf8'))

  expect(download.suggestedFilename()).toBe('two-are-read.json')
  expect(scenario.title).toBe('Two are read')
  expect(scenario.steps.map(({ path }: { path: string }) => path)).toEqual([
    '/api/projects/',
    '/api/projects/{project_id}/annotations/3/',
  ])
  expect((await simulator.replay(scenario)).held).toBe(true)
})
