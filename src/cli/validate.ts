import process from 'node:process'
import { Argument, Command } from 'commander'
import { readScenario } from '../read-scenario.ts'
import { fixtureNames, ScenarioGivenError } from '../read-world.ts'
import { createSimulator } from '../simulator.ts'
import { offering } from './offering.ts'
import { painter } from './output/paint.ts'
import { printJson } from './output/print-json.ts'
import { readGivenWorld } from './read-given-world.ts'
import { rowsText } from './rows-text.ts'

/** Loads a world the way serving it would, or a scenario, and tells what it holds. */
export function validateCommand(): Command {
  const file = new Argument('<file>', 'a world or a scenario as JSON, or the name of a fixture')
  return new Command('validate')
    .description('Check a world file or a scenario: every fault is listed with its path.')
    .addArgument(offering(file, fixtureNames))
    .option('--json', 'print JSON: how many rows, or steps, it has, or its faults')
    .addHelpText(
      'after',
      '\nExamples:\n  understudy validate ./world.json\n  understudy validate ./story.json\n\nExit code 2 when there are faults.',
    )
    .action(async (file: string, { json }: { json?: boolean }) => {
      const { held, what, text } = (await worldIn(file)) ?? (await scenarioIn(file))
      if (json) return printJson({ file, ...held })
      console.log(`${file} ${painter(process.stdout)('good', what)}${text}.`)
    })
}

/** What a file holds, for a machine and in words. */
interface Found {
  readonly held: object
  readonly what: string
  readonly text: string
}

/** Null for a scenario. */
async function worldIn(file: string): Promise<Found | null> {
  try {
    const rows = createSimulator({ world: await readGivenWorld(file) }).world.counts
    return { held: { rows }, what: 'is a world', text: `: ${rowsText(rows)}` }
  } catch (error) {
    if (error instanceof ScenarioGivenError) return null
    throw error
  }
}

async function scenarioIn(file: string): Promise<Found> {
  const { length: steps } = (await readScenario(file)).steps
  const text = ` of ${steps} ${steps === 1 ? 'step' : 'steps'}`
  return { held: { steps }, what: 'is a scenario', text }
}
