import { scenarioOfFile } from '../scenarios/library.ts'
import { simulatorFor } from '../scenarios/run/simulator-for.ts'
import { createSimulator } from '../simulator/simulator.ts'
import { formatCount } from '../utils/text.ts'
import {
  fixtureNames,
  readWorld,
  ScenarioFileError,
  unreadableWorldError,
  worldOfFile,
} from '../world/load/read-world.ts'
import { defineCommand } from './command.ts'
import { jsonFlag } from './flags.ts'
import { namingFile, readScenarioInput } from './from-flags.ts'

const help = `
Examples:
  npx understudy-api validate ./world.json
  npx understudy-api validate ./story.json

Exit code 2 if the file has issues.`

export default defineCommand({
  name: 'validate',
  summary: 'Check a world or scenario file, and list its issues by path.',
  args: [['<file>', 'world or scenario file, or the name of one of the package']],
  flags: { '--json': jsonFlag },
  help,
  async run([fileOrName], _flags, context) {
    const isFixture = fixtureNames.includes(fileOrName)
    const input = isFixture
      ? null
      : await readScenarioInput(fileOrName, context, unreadableWorldError)
    const file = input?.name ?? fileOrName
    const value = input?.json()
    const describeValid = (kind: string, size: string) =>
      `${file} ${context.paint('good', `is a valid ${kind}`)}: ${size}.`
    try {
      const rows = await namingFile('world', file, async () => {
        const world = await (input ? worldOfFile(value, file) : readWorld(file))
        return createSimulator({ world }).world.counts
      })
      return { json: { file, rows }, text: describeValid('world', formatRowCounts(rows)) }
    } catch (error) {
      if (!(error instanceof ScenarioFileError)) throw error
    }
    const steps = await namingFile('scenario', file, () => countSteps(value, file))
    return { json: { file, steps }, text: describeValid('scenario', formatCount(steps, 'step')) }
  },
})

/** Reads a scenario, and checks it as a replay does before the first step. */
async function countSteps(value: unknown, file: string) {
  const scenario = await scenarioOfFile(value, file)
  const simulator = await simulatorFor(scenario, 'default')
  await simulator.run(scenario, { world: 'default', dry_run: true })
  return scenario.steps.length
}

/** @example formatRowCounts({ projects: 2, activity: 1 }) // 'projects 2, activity 1' */
function formatRowCounts(rows: Readonly<Record<string, number>>) {
  const texts = Object.entries(rows).map(([list, count]) => `${list} ${count}`)
  return texts.length === 0 ? 'no rows' : texts.join(', ')
}
