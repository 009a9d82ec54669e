import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { play, type Story } from './support/play.ts'
import { start } from './support/start.ts'

const scenarios = new URL('../scenarios/', import.meta.url)
const stories = readdirSync(scenarios)
  .filter((name) => name.endsWith('.json'))
  .map((name): [string, Story] => [
    name,
    JSON.parse(readFileSync(new URL(name, scenarios), 'utf8')),
  ])

test.each(stories)('%s happens as it is written', async (_name, story) => {
  const { world, clock, steps } = story
  const api = await start({ world, clock })
  const keys = new Map(api.simulator.world.toJSON().keys?.map(({ label, value }) => [label, value]))

  const answers = await play(story, api, keys)

  expect(answers).toMatchObject(steps.map((step) => step.expect))
})
