import { test } from 'understudy-api/vitest'
import { expect } from 'vitest'

test('lists a new annotation', async ({ simulator, as }) => {
  simulator.world.annotations.add({ content: 'Launch', scope: 'project' })
  const { headers } = as('annotation:read') // headers with the key that has this label
  const response = await fetch('https://app.example.com/api/projects/1/annotations/', { headers })
  expect((await response.json()).count).toBe(7)
  expect(simulator).toHaveReceived({ operation: 'listAnnotations', status: 200, count: 1 }) // one such request
})
