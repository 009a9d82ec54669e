import { describe, expect } from 'vitest'
import { test } from '../../../../src/vitest.ts'

const row = 'https://app.example.com/api/projects/1/annotations/1/'

test('deletes a row', async ({ as }) => {
  const { headers } = as('all')
  const body = JSON.stringify({ deleted: true })
  const json = { ...headers, 'content-type': 'application/json' }
  await fetch(row, { method: 'PATCH', headers: json, body })

  expect((await fetch(row, { headers })).status).toBe(404)
})

test.for([[6]])('a deleted row is hidden: %i', async ([id], { as, simulator }) => {
  const response = await as('all').fetch(`/api/projects/1/annotations/${id}/`)

  expect([response.status, simulator.journal.find().length]).toEqual([404, 1])
})

test('is slow', { timeout: 400 }, async ({ as }) => {
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect((await as('all').fetch('/api/projects/')).status).toBe(200)
})

test('has no limit', { timeout: Number.POSITIVE_INFINITY }, async ({ as }) => {
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect((await as('all').fetch('/api/projects/')).status).toBe(200)
})

test('expects 405', async ({ as }) => {
  const { status } = await as('all').fetch('/api/projects/1/annotations/1/', { method: 'DELETE' })

  expect(status).toBe(405)
})

test('sends no request', () => {
  expect(1).toBe(1)
})

describe('a test that sets a setting', () => {
  test.override({ simulatorOptions: { settings: { 'annotations.delete.status': '404' } } })

  test('is about it', async ({ as }) => {
    const { status } = await as('all').fetch('/api/projects/1/annotations/1/', { method: 'DELETE' })

    expect(status).toBe(404)
  })
})
