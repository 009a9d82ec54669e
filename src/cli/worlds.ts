import { Command } from 'commander'
import { readScenario } from '../scenarios/read-scenario.ts'
import { createSimulator } from '../simulator.ts'
import { UsageError } from '../utils/usage-error.ts'
import { fixtureNames, readWorld, ScenarioFileError } from '../world/load/read-world.ts'
import type { CommandContext } from './command-context.ts'
import { formatCount, formatRowCounts } from './output/format.ts'
import { readWorldWithProgress } from './simulator-from-flags.ts'

export function worldsCommand(context: CommandContext): Command {
  return new Command('worlds')
    .description('List the worlds of the package and their numbers of rows.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nServe one with understudy serve --data NAME.')
    .action(async ({ json }: { json?: boolean }) => {
      const worlds = await Promise.all(
        fixtureNames.map(async (name) => ({ name, rows: await countRows(name) })),
      )
      if (json) return context.printJson(worlds)
      const widest = Math.max(...fixtureNames.map(({ length }) => length))
      for (const { name, rows } of worlds) {
        context.print(`${context.paint('name', name.padEnd(widest))}  ${formatRowCounts(rows)}`)
      }
    })
}

async function countRows(name: string): Promise<Record<string, number>> {
  return createSimulator({ world: await readWorld(name) }).world.counts
}

export function validateCommand(context: CommandContext): Command {
  return new Command('validate')
    .description('Check a world or scenario file, and list every issue with its path.')
    .argument('<file>', 'world or scenario file, or the name of a fixture')
    .option('--json', 'print the number of rows or steps, or the issues, as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  understudy validate ./world.json\n  understudy validate ./story.json\n\nExit code 2 if the file has issues.',
    )
    .action(async (file: string, { json }: { json?: boolean }) => {
      const contents = (await readAsWorld(file, context)) ?? (await readAsScenario(file))
      const { counts, kind, size } = contents
      if (json) return context.printJson({ file, ...counts })
      context.print(`${file} ${context.paint('good', `is a valid ${kind}`)}: ${size}.`)
    })
}

/** The contents of a file. */
interface FileContents {
  /** For JSON */
  readonly counts: object
  readonly kind: FileKind
  /** As text */
  readonly size: string
}

type FileKind = 'world' | 'scenario'

/** Returns null for a scenario. */
async function readAsWorld(file: string, context: CommandContext): Promise<FileContents | null> {
  try {
    const world = await readWorldWithProgress(file, context)
    const rows = createSimulator({ world }).world.counts
    return { counts: { rows }, kind: 'world', size: formatRowCounts(rows) }
  } catch (error) {
    if (error instanceof ScenarioFileError) return null
    throw invalidFileError(file, 'world', error)
  }
}

async function readAsScenario(file: string): Promise<FileContents> {
  try {
    const { length: steps } = (await readScenario(file)).steps
    return { counts: { steps }, kind: 'scenario', size: formatCount(steps, 'step') }
  } catch (error) {
    throw invalidFileError(file, 'scenario', error)
  }
}

/** Gives a list of issues a heading that fits the command. Other errors stay as they are. */
function invalidFileError(file: string, kind: FileKind, error: unknown): unknown {
  if (!(error instanceof UsageError) || error.issues.length === 0) return error
  const heading = `${file} is not a valid ${kind}: ${formatCount(error.issues.length, 'issue')}`
  return new UsageError(heading, error.issues)
}
