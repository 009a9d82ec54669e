import { Command } from 'commander'
import { readScenario } from '../scenarios/read-scenario.ts'
import type { ScenarioSize, ShrinkResult } from '../scenarios/shrink/shrink.ts'
import { measureScenario, shrink } from '../scenarios/shrink/shrink.ts'
import { writeFileAtomically } from '../world/persistence/atomic-write.ts'
import type { CommandContext } from './command-context.ts'
import { exitCodes } from './exit.ts'
import { formatCount } from './output/format-count.ts'
import { formatJson } from './output/format-json.ts'
import { createShrinkCheck } from './shrink-check.ts'
import { unwritableFileError } from './unwritable-file.ts'

interface ShrinkFlags {
  readonly check?: string
  readonly out?: string
  readonly json?: boolean
}

const help = `
The check is a shell command. It gets each candidate as a file, whose path is {} in the command and the variable
UNDERSTUDY_SCENARIO. Its exit code says whether the problem is still present: 0 for no, any other code for yes. 126 and
127 mean that the check cannot be run. Without a check, the first step that fails in a replay must still fail with the
same status and in the same place.

Examples:
  understudy shrink run.json --check 'node client-test.js {}'
  understudy shrink failed.json --out small.json

In the result, every step, row and field is needed: without any one of them the check passes. If you press Ctrl-C, the
smallest scenario so far is written.

Exit codes: 0; 130 if it was interrupted; 2 for an invalid file, or a check that passes for the whole scenario.`

export function shrinkCommand(context: CommandContext): Command {
  return new Command('shrink')
    .description('Reduce a failing scenario to the steps, rows and fields that its failure needs.')
    .argument('<file>', 'scenario file, such as a bundle')
    .option('--check <command>', 'command that fails for the problem (default: a replay)')
    .option('--out <file>', 'file for the result (default: FILE.small.json)')
    .option('--json', 'print the sizes before and after, and the number of runs, as JSON')
    .addHelpText('after', help)
    .action(async (file: string, flags: ShrinkFlags) => {
      context.exitCode = await shrinkScenarioFile(file, flags, context)
    })
}

async function shrinkScenarioFile(
  file: string,
  flags: ShrinkFlags,
  context: CommandContext,
): Promise<number> {
  const { check: command, out = defaultOutput(file), json } = flags
  // Rows can only be left out of a world that is in the file.
  const scenario = await readScenario(file, { inlineWorld: true })
  const { signal } = context
  const check = await createShrinkCheck(scenario, command, signal)
  const startedAt = performance.now()
  let isSmaller = false
  try {
    const result = await shrink(scenario, check.run, {
      signal,
      async onSmaller(smaller, runs) {
        isSmaller = true
        context.printError(
          `  ${formatSize(measureScenario(smaller))} after ${formatCount(runs, 'run')}`,
        )
      },
    })
    // Written only if it is smaller, because the file may have the better result of an earlier run.
    if (isSmaller) {
      const text = `${formatJson(result.scenario)}\n`
      await writeFileAtomically(out, [text]).catch((error) => {
        throw unwritableFileError(out, error)
      })
    }
    const [before, after] = [measureScenario(scenario), measureScenario(result.scenario)]
    const ms = Math.round(performance.now() - startedAt)
    const { runs, invalid, isMinimal } = result
    if (json) {
      const written = isSmaller ? out : null
      context.printJson({ out: written, before, after, runs, invalid, minimal: isMinimal, ms })
    } else {
      const summary = isSmaller
        ? `${out}: ${formatSize(before)} → ${formatSize(after)}`
        : `${file}: nothing was left out of ${formatSize(before)}. ${out} was not written`
      context.print(`${summary}. ${formatEffort(result, ms)}`)
    }
    return isMinimal ? exitCodes.ok : exitCodes.interrupted
  } finally {
    await check.dispose()
  }
}

function formatEffort({ runs, invalid, isMinimal }: ShrinkResult, ms: number): string {
  const seconds = (ms / 1_000).toFixed(1)
  const effort = `The check ran ${formatCount(runs, 'time')} in ${seconds} s. ${formatCount(invalid, 'candidate was', 'candidates were')} not valid.`
  return isMinimal ? effort : `${effort} The command was interrupted: smaller results may exist.`
}

function defaultOutput(file: string): string {
  return `${file.replace(/\.json$/, '')}.small.json`
}

function formatSize({ steps, rows, fields }: ScenarioSize): string {
  return [formatCount(steps, 'step'), formatCount(rows, 'row'), formatCount(fields, 'field')].join(
    ', ',
  )
}
