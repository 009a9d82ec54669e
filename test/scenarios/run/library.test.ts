import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createSimulator, type Scenario, scenarioReport } from '../../../src/index.ts'

const folder = new URL('../../../scenarios/', import.meta.url)
const stories = readdirSync(folder)
  .filter((name) => name.endsWith('.json') && name !== 'scenario.schema.json')
  .map((name): [string, Scenario] => [
    name,
    JSON.parse(readFileSync(new URL(name, folder), 'utf8')),
  ])

test.each(stories)('%s passes', async (_name, story) => {
  const result = await createSimulator().replay(story)

  expect(result.passed, scenarioReport(result)).toBe(true)
})
