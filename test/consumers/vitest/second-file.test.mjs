// A second file of the same process.
import { test as base } from 'understudy-api/vitest'
import { expect } from 'vitest'

const test = base.extend('simulatorOptions', { profile: 'live' })

test('its options are its own', async ({ as, simulator }) => {
  const answer = await fetch('https://app.example.com/api/projects/1/annotations/1/', {
    method: 'DELETE',
    ...as('all'),
  })
  expect([answer.status, await answer.text()]).toEqual([405, ''])
  await expect(simulator).toPassScenario({
    title: 'Projects are listed',
    steps: [{ as: 'all', method: 'GET', path: '/api/projects/', expect: { status: 200 } }],
  })
})

base('and are nobody else’s', async ({ as }) => {
  const url = 'https://app.example.com/api/projects/1/annotations/1/'
  const answer = await fetch(url, { method: 'DELETE', ...as('all') })
  expect((await answer.json()).code).toBe('method_not_allowed')
})
