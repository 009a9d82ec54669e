import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { withChromium } from '../support/browser/chromium.ts'
import { closeBrowserAfterAll, openDashboard } from '../support/browser/dashboard.ts'
import { root } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'
import { incidentHar } from '../support/scenarios/incident-har.ts'

closeBrowserAfterAll()
const scenarios = readdirSync(join(root, 'scenarios')).filter(
  (name) => name.endsWith('.json') && !name.includes('schema'),
)

withChromium('all scenarios of the package run and pass; the world does not change', async () => {
  const { page, simulator } = await openDashboard('#/scenarios')
  const before = simulator.world.toJSON()

  await page.getByRole('button', { name: `Run all (${scenarios.length})` }).click()
  await page.getByText(`${scenarios.length} passed`).waitFor()

  await expect.poll(() => page.locator('.outcome.passed').count()).toBe(scenarios.length)
  expect(simulator.world.toJSON()).toEqual(before)
})

withChromium(
  'each scenario runs under its own profile, whatever the policies of the world are',
  async () => {
    const { page } = await openDashboard('#/scenarios', {
      profile: 'live',
      arrange: ({ world }) => world.annotations.delete(1),
    })

    await page.getByRole('button', { name: `Run all (${scenarios.length})` }).click()

    await page.getByText(`${scenarios.length} passed`).waitFor()
  },
)

withChromium(
  'a failed scenario shows its steps, and the first difference side by side',
  async () => {
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
    const { page } = await openDashboard('#/scenarios/lost', {
      listenOptions: { scenarios: folder },
    })
    const issue = await page.getByText('broken.json').innerText()

    await page.getByLabel('Scenario', { exact: true }).getByRole('button', { name: 'Run' }).click()
    const difference = page.getByLabel('First difference')
    await difference.waitFor()

    expect(issue).toMatch(/^Failed .*\n.*steps\[0\]/)
    expect(await difference.locator('h3').innerText()).toBe(
      'First difference: step 2, body.content',
    )
    expect(await difference.getByLabel('Expected').innerText()).toBe('Something else')
    expect(await difference.getByLabel('Actual').innerText()).toBe('Release 1.0')
    const outcomes = page.locator('.steps .outcome')
    await expect.poll(() => outcomes.allInnerTexts()).toEqual(['passed', 'failed'])
  },
)

withChromium('the steps of a long scenario appear while it is running', async () => {
  const step = { as: 'all', method: 'GET', path: '/api/projects/1/annotations/' }
  const folder = temporaryFolder({
    'long.json': { title: 'Long', steps: Array.from({ length: 1_000 }, () => step) },
  })
  const { page } = await openDashboard('#/scenarios/long', { listenOptions: { scenarios: folder } })

  const hasBoth = page.waitForFunction(() => {
    const outcomes = [...document.querySelectorAll('.steps .outcome')].map(
      (each) => each.textContent,
    )
    return outcomes.includes('passed') && outcomes.includes('not run')
  })
  await page.getByLabel('Scenario', { exact: true }).getByRole('button', { name: 'Run' }).click()
  await page.getByText('1 passed').waitFor()

  await hasBoth
  await expect.poll(() => page.locator('.steps .outcome.passed').count()).toBe(1_000)
})

withChromium('selected requests are saved as a scenario that passes', async () => {
  const { page, ask, simulator } = await openDashboard('#/requests')
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
  expect((await simulator.replay(scenario)).passed).toBe(true)
})

withChromium('a file without a world is run in default, and a difference says so', async () => {
  const { page } = await openDashboard('#/scenarios', { world: 'empty' })
  const path = '/api/projects/1/annotations/'
  const count = (expected: number) => {
    const step = { as: 'all', method: 'GET', path, expect: { body: { count: expected } } }
    return JSON.stringify({ title: 'Count', steps: [step] })
  }
  const run = (name: string, text: string) =>
    page
      .getByLabel('Run file…')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
  const detail = page.getByLabel('Scenario', { exact: true })

  await run('six.json', count(6))
  await detail.locator('.outcome.passed').first().waitFor()
  await run('none.json', count(0))
  await detail.locator('.outcome.failed').first().waitFor()

  expect(await detail.innerText()).toContain('none.json names no world; replayed in "default".')
})

withChromium('a scenario file from the computer is run', async () => {
  const { page, pageErrors } = await openDashboard('#/scenarios')
  const run = (name: string, text: string) =>
    page
      .getByLabel('Run file…')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
  const detail = page.getByLabel('Scenario', { exact: true })
  const step = { as: 'all', method: 'GET', path: '/api/projects/', expect: { status: 200 } }

  await run('good.json', JSON.stringify({ title: 'Projects are listed', steps: [step] }))
  await detail.locator('.outcome.passed').first().waitFor()
  const good = await detail.innerText()
  await run('bad.json', '{ "steps": 1 }')
  await detail.getByRole('alert').waitFor()
  const bad = await detail.innerText()
  await run('text.json', 'no JSON')
  await page.getByText('text.json is not valid JSON').waitFor()

  expect(good).toContain('Projects are listed')
  expect(bad).toContain('error')
  expect(bad).toMatch(/title: .*\nsteps: /)
  expect(await page.locator('.notification.good').count()).toBe(0)
  // Chromium logs failed requests: the lookups of the files on the server, and the rejected scenario.
  expect(pageErrors.filter((text) => !/status of 40[04]/.test(text))).toEqual([])
})

withChromium(
  'a HAR archive is imported: what failed, its world, its scenario and a test',
  async () => {
    const { page, simulator } = await openDashboard('#/scenarios')
    const buffer = Buffer.from(JSON.stringify(incidentHar))
    const archive = { name: 'incident.har', mimeType: 'application/json', buffer }
    const save = async (button: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: button }).click(),
      ])
      return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')] as const
    }

    await page.getByLabel('Import…').setInputFiles(archive)
    const dialog = page.getByRole('dialog', { name: 'Import incident.har' })
    const facts = await dialog.locator('p').first().innerText()
    const failed = await dialog.getByLabel('What failed').locator('li').allInnerTexts()
    const [scenarioName, scenario] = await save('Save scenario')
    await dialog.getByLabel('Test runner').selectOption('pytest')
    const [testName, test] = await save('Save test')
    await dialog.getByRole('button', { name: 'Load world' }).click()
    await expect.poll(() => simulator.world.annotations.count).toBe(1)
    await dialog.getByRole('button', { name: 'Run' }).click()
    await page.getByLabel('Scenario', { exact: true }).locator('.facts .outcome.passed').waitFor()

    expect(facts).toBe('4 requests to https://app.example.com; 1 lost, failed or slow response.')
    expect(failed).toEqual([
      'Create annotation: response lost after the write, and the retry made a duplicate',
    ])
    expect([scenarioName, JSON.parse(scenario).title]).toEqual([
      'incident.json',
      'Create annotation: response lost after the write, and the retry made a duplicate',
    ])
    expect([testName, test.split('\n')[1]]).toEqual([
      'test_incident.py',
      '# npx understudy-api exec -- pytest test_incident.py',
    ])
  },
)

withChromium('a journal with an entry in each line is imported', async () => {
  const { page, simulator } = await openDashboard('#/scenarios')
  const init = { headers: { authorization: `Bearer ${simulator.defaults.key}` } }
  await simulator.fetch('/api/projects/1/annotations/1/', init)
  await simulator.fetch('/api/projects/1/annotations/', init)
  const lines = simulator.journal.find().map((entry) => JSON.stringify(entry))
  const buffer = Buffer.from(`${lines.join('\n')}\n`)

  const file = { name: 'run.ndjson', mimeType: 'application/x-ndjson', buffer }
  await page.getByLabel('Import…').setInputFiles(file)

  const dialog = page.getByRole('dialog', { name: 'Import run.ndjson' })
  const requests = dialog.getByLabel('Requests').locator('li')
  await expect
    .poll(() => requests.allInnerTexts())
    .toEqual(['Retrieve annotation', 'List annotations'])
})

withChromium(
  'an archive that is dropped on the scenarios is imported, or refused with its issue',
  async () => {
    const { page } = await openDashboard('#/scenarios')
    await page.locator('.drop-area').waitFor()
    const drop = (name: string, text: string) =>
      page.evaluate(
        ([fileName, content]) => {
          const dataTransfer = new DataTransfer()
          dataTransfer.items.add(new File([content], fileName))
          document
            .querySelector('.drop-area')
            ?.dispatchEvent(
              new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
            )
        },
        [name, text] as const,
      )

    await drop('broken.har', '{"log": {"entries": [{}]}}')
    await page.getByText('Failed to read broken.har').waitFor()
    await drop('session.har', JSON.stringify(incidentHar))

    await page.getByRole('dialog', { name: 'Import session.har' }).waitFor()
  },
)
