// A component that is still mounted when its test ends.
import { test } from 'understudy-api/vitest'
import { expect, test as plain, vi } from 'vitest'

let caller
test('a test that leaves its caller behind', async ({ as }) => {
  caller = as('all')
  expect((await fetch('/api/projects/', caller)).status).toBe(200)
})

plain('after a test, requests to the API fail, and others reach the network', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})

  await expect(fetch('/api/projects/', caller)).rejects.toThrow('Failed to fetch')
  const { status } = await fetch('/story.json')

  expect(status).toBe(200)
  expect(printed.mock.calls).toEqual([
    [expect.stringMatching(/^GET .* was refused\. The test "late\.test\.mjs > a test that leaves/)],
  ])
  printed.mockRestore()
})
