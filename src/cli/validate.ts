import { Command } from 'commander'
import { findKeyIssues, replayError } from '../scenarios/format/check-scenario.ts'
import type { Step } from '../scenarios/format/scenario.ts'
import { readScenario } from '../scenarios/library.ts'
import { createSimulator } from '../simulator.ts'
import { ScenarioFileError } from '../world/load/read-world.ts'
import type { CommandContext } from './command-context.ts'
import { namingFile, readWorldWithProgress } from './open-simulator.ts'
import { formatCount, formatRowCounts } from './output.ts'

export function validateCommand(context: CommandContext): Command {
  return new Command('validate')
    .description('Check a world or scenario file, and list every issue with its path.')
    .argument('<file>', 'world or scenario file, or the name of a fixture')
    .option('--json', 'print the number of rows or steps, or the issues, as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  npx understudy-api validate ./world.json\n  npx understudy-api validate ./story.json\n\nExit code 2 if the file has issues.',
    )
    .action(async (file: string, { json }: { json?: boolean }) => {
      const { counts, kind, size } = await readContents(file, context)
      if (json) return context.printJson({ file, ...counts })
      context.print(`${file} ${context.paint('good', `is a valid ${kind}`)}: ${size}.`)
    })
}

interface FileContents {
  readonly kind: 'world' | 'scenario'
  readonly counts: object
  readonly size: string
}

/** @throws UsageError with a heading that fits the command, and every issue of the file */
export async function readContents(file: string, context: CommandContext): Promise<FileContents> {
  try {
    const rows = await namingFile('world', file, async () => {
      const world = await readWorldWithProgress(file, context)
      return createSimulator({ world }).world.counts
    })
    return { kind: 'world', counts: { rows }, size: formatRowCounts(rows) }
  } catch (error) {
    if (!(error instanceof ScenarioFileError)) throw error
  }
  const { length: steps } = await namingFile('scenario', file, () => readSteps(file))
  return { kind: 'scenario', counts: { steps }, size: formatCount(steps, 'step') }
}

/** Checks the labels of keys, too, if the file has its world or names a fixture. */
async function readSteps(file: string): Promise<readonly Step[]> {
  const { steps, world } = await readScenario(file, { inlineWorld: true })
  if (typeof world !== 'object') return steps
  const labels = createSimulator({ world })
    .keys.list()
    .map(({ label }) => label)
  const issues = findKeyIssues(steps, labels)
  if (issues.length > 0) throw replayError(issues)
  return steps
}
