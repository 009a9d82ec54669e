import process from 'node:process'
import { Command } from 'commander'
import { readScenario } from '../scenarios/read-scenario.ts'
import { createSimulator } from '../simulator.ts'
import { ScenarioFileError } from '../world/load/read-world.ts'
import { formatRowCounts, painter, printJson } from './output/print.ts'
import { readWorldWithProgress } from './simulator-from-flags.ts'

/** Loads a world the way serving it would, or a scenario, and tells what it holds. */
export function validateCommand(): Command {
  return new Command('validate')
    .description('Check a world file or a scenario: every fault is listed with its path.')
    .argument('<file>', 'a world or a scenario as JSON, or the name of a fixture')
    .option('--json', 'print JSON: how many rows, or steps, it has, or its faults')
    .addHelpText(
      'after',
      '\nExamples:\n  understudy validate ./world.json\n  understudy validate ./story.json\n\nExit code 2 when there are faults.',
    )
    .action(async (file: string, { json }: { json?: boolean }) => {
      const { counts, verdict, text } = (await readAsWorld(file)) ?? (await readAsScenario(file))
      if (json) return printJson({ file, ...counts })
      console.log(`${file} ${painter(process.stdout)('good', verdict)}${text}.`)
    })
}

/** What a file holds, for a machine and in words. */
interface FileContents {
  readonly counts: object
  readonly verdict: string
  readonly text: string
}

/** Null for a scenario. */
async function readAsWorld(file: string): Promise<FileContents | null> {
  try {
    const rows = createSimulator({ world: await readWorldWithProgress(file) }).world.counts
    return { counts: { rows }, verdict: 'is a world', text: `: ${formatRowCounts(rows)}` }
  } catch (error) {
    if (error instanceof ScenarioFileError) return null
    throw error
  }
}

async function readAsScenario(file: string): Promise<FileContents> {
  const { length: steps } = (await readScenario(file)).steps
  const text = ` of ${steps} ${steps === 1 ? 'step' : 'steps'}`
  return { counts: { steps }, verdict: 'is a scenario', text }
}
