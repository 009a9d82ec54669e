import { Command } from 'commander'
import type { Scenario } from '../scenarios/format/scenario.ts'
import { readScenario } from '../scenarios/read-scenario.ts'
import { measureScenario, type ScenarioSize } from '../scenarios/shrink/members.ts'
import { type ShrinkResult, shrink } from '../scenarios/shrink/shrink.ts'
import { UsageError } from '../utils/usage-error.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import { writeFileAtomically } from '../world/persistence/atomic-write.ts'
import type { CommandContext } from './command-context.ts'
import { exitCodes } from './exit.ts'
import { createShrinkCheck } from './shrink-check.ts'

interface ShrinkFlags {
  readonly check?: string
  readonly out?: string
  readonly json?: boolean
}

const help = `
The check is a command of the shell. It gets each candidate as a file, at {} and in UNDERSTUDY_SCENARIO, and says by
its exit code whether what is wrong is still there: 0 for no, any other for yes; 126 and 127 mean that it cannot be
run. Without one, the first step that differs in a replay has to differ still, by the same status and in the
same place.

Examples:
  understudy shrink run.json --check 'node client-test.js {}'
  understudy shrink failed.json --out small.json

What is left is needed: without any single step, row or field the check passes. Ctrl-C ends it with the smallest so far, if
something was left out.
Ends with 0, 130 when it was interrupted, 2 for a file with faults or a check that does not fail from the beginning.`

export function shrinkCommand(context: CommandContext): Command {
  return new Command('shrink')
    .description('Make a scenario small: leave out what a failing check does not need.')
    .argument('<file>', 'a scenario as JSON, such as a bundle')
    .option('--check <command>', 'fails for what is still wrong; by default a replay that differs')
    .option('--out <file>', 'where the small one goes; by default FILE.small.json')
    .option('--json', 'print JSON: the sizes before and after, and the runs it took')
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
  const { check, out = defaultOutput(file), json } = flags
  const scenario = await withWorld(await readScenario(file))
  const { signal } = context
  const trial = await createShrinkCheck(scenario, check, signal)
  const began = performance.now()
  let isSmaller = false
  try {
    const shrunk = await shrink(scenario, trial.check, {
      signal,
      async onSmaller(smaller, runs) {
        isSmaller = true
        context.printError(`  ${sizeText(measureScenario(smaller))} after ${runs} runs`)
      },
    })
    // At the end, and where there is something to write: what an earlier run has left may be smaller.
    if (isSmaller) await writeScenario(out, shrunk.scenario)
    const [before, after] = [measureScenario(scenario), measureScenario(shrunk.scenario)]
    const ms = Math.round(performance.now() - began)
    if (json)
      context.printJson({ out: isSmaller ? out : null, before, after, ...runCounts(shrunk), ms })
    else {
      const made = isSmaller
        ? `${out}: ${sizeText(before)} → ${sizeText(after)}`
        : `${file}: nothing of ${sizeText(before)} was left out, so ${out} was not written`
      context.print(`${made}, ${effortText(shrunk, ms)}`)
    }
    return shrunk.isMinimal ? exitCodes.ok : exitCodes.interrupted
  } finally {
    await trial.dispose()
  }
}

function runCounts({ runs, invalid, isMinimal }: ShrinkResult): object {
  return { runs, invalid, minimal: isMinimal }
}

function effortText({ runs, invalid, isMinimal }: ShrinkResult, ms: number): string {
  const end = isMinimal ? '' : ' It was interrupted: there may be smaller ones.'
  const seconds = (ms / 1_000).toFixed(1)
  return `by ${runs} runs of the check in ${seconds} s; ${invalid} candidates were no scenarios.${end}`
}

/** @throws UsageError for a file that cannot be written */
async function writeScenario(out: string, scenario: Scenario): Promise<void> {
  await writeFileAtomically(out, [`${JSON.stringify(scenario, null, 2)}\n`]).catch((error) => {
    throw writeError(out, error)
  })
}

/** Rows are left out of a world that stands in the file. */
async function withWorld(scenario: Scenario): Promise<Scenario> {
  const { world } = scenario
  return typeof world === 'string' && fixtureNames.includes(world)
    ? { ...scenario, world: await readWorld(world) }
    : scenario
}

function defaultOutput(file: string): string {
  return `${file.replace(/\.json$/, '')}.small.json`
}

function sizeText({ steps, rows, fields }: ScenarioSize): string {
  return `${steps} ${steps === 1 ? 'step' : 'steps'}, ${rows} ${rows === 1 ? 'row' : 'rows'}, ${fields} fields`
}

function writeError(file: string, error: unknown): UsageError {
  const { code } = error as { code?: string }
  return new UsageError(
    `Failed to write ${file}: expected a file in a folder that can be written, got ${code}. Choose another with --out.`,
  )
}
