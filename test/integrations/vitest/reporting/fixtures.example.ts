import { expect } from 'vitest'
import { test as base } from '../../../../src/vitest.ts'

const test = base.extend('simulatorOptions', { profile: 'live' as const })

test('lists annotations', async ({ as }) => {
  await as('annotation:read').fetch('/api/projects/1/annotations/?limit=1')
})

test('uses a sandbox', async ({ simulator }) => {
  const { key } = simulator.sandboxes.create()
  const headers = { authorization: `Bearer ${key}` }
  await simulator.fetch('/api/projects/', { headers })
})

let attempts = 0
test('deletes at the second attempt', async ({ as }) => {
  await as('all').fetch('/api/projects/1/annotations/1/', { method: 'DELETE' })
  attempts += 1
  expect(attempts).toBe(2)
})

test('sends nothing', () => {})
