import type { Annotation, Page } from 'understudy-api'
import { test as base } from 'understudy-api/vitest'
import { expect } from 'vitest'

const test = base.extend('simulatorOptions', { clock: '2024-06-15T12:00:00Z' })

test('the annotations have the time of the clock', async ({ simulator, as }) => {
  const { id } = simulator.world.annotations.add({ content: 'Launch', scope: 'project' })
  const response = await as('all').fetch('/api/projects/1/annotations/')
  const { results }: Page<Annotation> = await response.json()
  expect(results.find((row) => row.id === id)?.created_at).toBe('2024-06-15T12:00:00Z')
})

test('the scenario passes', async ({ simulator }) => {
  await expect(simulator).toPassScenario('story.json')
})
