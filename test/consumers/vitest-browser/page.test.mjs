// understudy-api/vitest in a page: a simulator for each test, whatever sends the requests.
import { test } from 'understudy-api/vitest'
import { describe, expect, vi } from 'vitest'
import scenario from './story.json'

const countFor = async (caller) =>
  (await (await fetch('/api/projects/1/annotations/', caller)).json()).count

for (const extra of [0, 1]) {
  test(`each test has its own: ${extra}`, async ({ simulator, as }) => {
    for (let made = 0; made < extra; made++) simulator.world.annotations.add({ content: 'More' })
    expect(await countFor(as('all'))).toBe(6 + extra)
  })
}

describe('a suite', () => {
  test.override({ simulatorOptions: { world: 'empty' } })

  test('begins otherwise', async ({ as }) => expect(await countFor(as('all'))).toBe(0))
})

test('an XMLHttpRequest is answered', async ({ as }) => {
  const request = new XMLHttpRequest()
  await new Promise((resolve) => {
    request.onloadend = resolve
    request.open('GET', 'https://app.example.com/api/projects/')
    request.setRequestHeader('authorization', as('all').headers.authorization)
    request.send()
  })

  expect([request.status, JSON.parse(request.responseText).count]).toEqual([200, 2])
})

test('a fault breaks the connection', async ({ simulator, as }) => {
  simulator.faults.add({ operation: 'listProjects', effect: { drop: true } })

  await expect(fetch('/api/projects/', as('all'))).rejects.toThrow('Failed to fetch')
})

test('a scenario passes', async ({ simulator }) => {
  await expect(simulator).toPassScenario(scenario)
})

test('a path below another prefix fails with a hint', async ({ simulator }) => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  await expect(fetch('https://app.example.com/v1/projects/')).rejects.toThrow('Failed to fetch')
  const lines = printed.mock.calls.flat()
  printed.mockRestore()

  expect(lines).toEqual([
    'The simulator has no operation at https://app.example.com/v1/projects/. Did you mean /api/projects/?',
    'No handler answers GET https://app.example.com/v1/projects/, so it fails. Add one with simulator.use(…).',
  ])
  expect(simulator.journal.find()).toEqual([])
})

test('a relative path below another prefix has a hint, too', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  await fetch('/v1/projects/')
  const lines = printed.mock.calls.flat()
  printed.mockRestore()

  expect(lines).toEqual([
    `The simulator has no operation at ${location.origin}/v1/projects/. Did you mean /api/projects/?`,
  ])
})

test('the page gets its own files', async ({ simulator }) => {
  const { status } = await fetch('/story.json')

  expect([status, simulator.journal.find()]).toEqual([200, []])
})

test('what needs Node says so', async ({ simulator }) => {
  await expect(expect(simulator).toPassScenario('story.json')).rejects.toThrow(
    "A page cannot read story.json. Import it by its path from the test: import scenario from './story.json'.",
  )
})

test('a page that is left sends nothing more', async ({ as }) => {
  dispatchEvent(new Event('pagehide'))

  await expect(fetch('/api/projects/', as('all'))).rejects.toThrow('Failed to fetch')
})
