import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createSimulator, type Scenario, scenarioReport } from '../../../src/index.ts'
import { resolveSetup } from '../../../src/scenarios/run/run-scenario.ts'
import { runSteps } from '../../../src/scenarios/run/run-steps.ts'
import { createLocalTarget } from '../../../src/scenarios/run/simulator-target.ts'
import type { ReceivedResponse } from '../../../src/scenarios/run/target.ts'
import type { SimulatorOptions } from '../../../src/simulator/options.ts'
import { startReplay } from '../../support/lanes/replay-server.ts'

const folder = new URL('../../../scenarios/', import.meta.url)
const stories = readdirSync(folder)
  .filter((name) => name.endsWith('.json') && name !== 'scenario.schema.json')
  .map((name): [string, Scenario] => [
    name,
    JSON.parse(readFileSync(new URL(name, folder), 'utf8')),
  ])

test.each(
  stories.flatMap((story) =>
    [true, false].map((onlyRecorded) => [...story, onlyRecorded] as const),
  ),
)('%s, served, is answered as it was simulated', async (_name, story, onlyRecorded) => {
  const { origin, replay } = await startReplay(story, { onlyRecorded })
  const { steps } = story
  const beside = createSimulator(resolveSetup(story, {}) as SimulatorOptions)
  // Changes are made beside it, and every request is sent to both.
  const target = await createLocalTarget(beside, origin)
  const bytes: [simulated: string, served: string][] = []

  const result = await runSteps(
    story,
    {
      ...target,
      async send(sent) {
        const simulated = await target.send(sent)
        const { url, ...init } = sent
        const served = await fetchResponse(url, init)
        bytes.push([simulated.text, served.text])
        return served
      },
    },
    { first: 0, last: steps.length - 1 },
  )

  expect(result.passed, scenarioReport(result)).toBe(true)
  expect(bytes.map(([, served]) => served)).toEqual(bytes.map(([simulated]) => simulated))
  expect([replay.unused, replay.unexpected]).toEqual([[], []])
})

/** In this process a broken connection looks like a missing server. */
async function fetchResponse(url: string, init: RequestInit): Promise<ReceivedResponse> {
  try {
    const answer = await fetch(url, init)
    const { status, headers } = answer
    return { status, headers, text: await answer.text(), broken: false }
  } catch {
    return { status: 0, headers: new Headers(), text: '', broken: true }
  }
}
