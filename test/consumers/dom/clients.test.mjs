// Clients of a page, in a page that Node imitates.
import { test } from 'understudy-api/vitest'
import { describe, expect } from 'vitest'

describe('at the same time', { concurrent: true }, () => {
  for (const extra of [0, 1]) {
    test(`each has its own: ${extra}`, async ({ simulator, as, expect }) => {
      for (let made = 0; made < extra; made++) simulator.world.annotations.add({ content: 'A' })
      const page = await (await fetch('/api/projects/1/annotations/', as('all'))).json()
      expect(page.count).toBe(6 + extra)
    })
  }
})

test('an XMLHttpRequest is answered', async ({ as }) => {
  const request = new XMLHttpRequest()
  await new Promise((resolve) => {
    request.onloadend = resolve
    request.open('GET', '/api/projects/')
    request.setRequestHeader('authorization', as('all').headers.authorization)
    request.send()
  })

  expect([request.status, JSON.parse(request.responseText).count]).toEqual([200, 2])
})

test('a scenario passes', async ({ simulator }) => {
  const path = '/api/projects/1/annotations/'
  const step = { as: 'all', method: 'GET', path, expect: { status: 200, body: { count: 6 } } }
  await expect(simulator).toPassScenario({ format_version: 1, title: 'A list', steps: [step] })
})
