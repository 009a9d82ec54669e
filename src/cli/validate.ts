import { Command } from 'commander'
import { readScenario } from '../scenarios/read-scenario.ts'
import { createSimulator } from '../simulator.ts'
import { ScenarioFileError } from '../world/load/read-world.ts'
import type { CommandContext } from './command-context.ts'
import { readWorldWithProgress } from './simulator-from-flags.ts'
import { formatRowCounts } from './worlds.ts'

/** Loads a world the way serving it would, or a scenario, and tells what it holds. */
export function validateCommand(context: CommandContext): Command {
  return new Command('validate')
    .description('Check a world file or a scenario: every fault is listed with its path.')
    .argument('<file>', 'a world or a scenario as JSON, or the name of a fixture')
    .option('--json', 'print JSON: how many rows, or steps, it has, or its faults')
    .addHelpText(
      'after',
      '\nExamples:\n  understudy validate ./world.json\n  understudy validate ./story.json\n\nExit code 2 when there are faults.',
    )
    .action(async (file: string, { json }: { json?: boolean }) => {
      const { counts, verdict, text } =
        (await readAsWorld(file, context)) ?? (await readAsScenario(file))
      if (json) return context.printJson({ file, ...counts })
      context.print(`${file} ${context.paint('good', verdict)}${text}.`)
    })
}

/** What a file holds, for a machine and in words. */
interface FileContents {
  readonly counts: object
  readonly verdict: string
  readonly text: string
}

/** Null for a scenario. */
async function readAsWorld(file: string, context: CommandContext): Promise<FileContents | null> {
  try {
    const rows = createSimulator({ world: await readWorldWithProgress(file, context) }).world.counts
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
