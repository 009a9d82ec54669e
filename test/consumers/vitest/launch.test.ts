import { test as base } from 'understudy-api/vitest'
import { expect } from 'vitest'

const test = base.extend('simulatorOptions', { clock: '2024-06-15T12:00:00Z' })

test('the list is asked for once, and the story holds', async ({ simulator, as }) => {
  simulator.world.annotations.create({ content: 'Launch', scope: 'project' })
  const { headers } = as('annotation:read') // the key of that label
  await fetch('https://app.example.com/api/projects/1/annotations/', { headers })
  expect(simulator).toHaveReceived({ operation: 'listAnnotations', status: 200, count: 1 })
  await expect(simulator).toMatchScenario('story.json')
})
