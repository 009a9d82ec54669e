import process from 'node:process'
import { Command } from 'commander'
import { writeWhole } from '../../persistence/write-whole.ts'
import { readScenario } from '../../read-scenario.ts'
import { fixtureNames, readWorld } from '../../read-world.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import { shrink } from '../../shrink/shrink.ts'
import { type Size, sizeOf } from '../../shrink/size.ts'
import { UsageError } from '../../usage-error.ts'
import { exitCodes } from '../exit.ts'
import { checkOf } from './check.ts'

interface Flags {
  readonly check?: string
  readonly out?: string
}

const help = `
The check is a command of the shell. It gets each candidate as a file, at {} and in UNDERSTUDY_SCENARIO, and says by
its exit code whether what is wrong is still there: 0 for no, any other for yes; 126 and 127 mean that it cannot be
run. Without one, the first step that differs in a replay has to differ still, by the same status and in the
same place.

Examples:
  understudy shrink run.json --check 'node client-test.js {}'
  understudy shrink failed.json --out small.json

What is left is needed: without any single step, row or field the check passes. Ctrl-C ends it with the smallest so far.
Ends with 0, 130 when it was interrupted, 2 for a file with faults or a check that does not fail from the beginning.`

/** @param onEnd told the exit code */
export function shrinkCommand(onEnd: (code: number) => void): Command {
  return new Command('shrink')
    .description('Make a scenario small: leave out what a failing check does not need.')
    .argument('<file>', 'a scenario as JSON, such as a bundle')
    .option('--check <command>', 'fails for what is still wrong; by default a replay that differs')
    .option('--out <file>', 'where the small one goes; by default FILE.small.json')
    .addHelpText('after', help)
    .action(async (file: string, flags: Flags) => onEnd(await shrinkFile(file, flags)))
}

async function shrinkFile(file: string, { check, out = smallName(file) }: Flags): Promise<number> {
  const scenario = await withWorld(await readScenario(file))
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  process.on('SIGINT', stop)
  const { signal } = stopping
  const trial = await checkOf(scenario, check, signal)
  const began = performance.now()
  let kept = began
  const keep = async (smaller: Scenario): Promise<void> => {
    await writeWhole(out, [`${JSON.stringify(smaller, null, 2)}\n`]).catch((error) => {
      throw unwritable(out, error)
    })
    kept = performance.now()
  }
  try {
    const shrunk = await shrink(scenario, trial.check, {
      signal,
      async onSmaller(smaller, runs) {
        console.error(`  ${sizeText(sizeOf(smaller))} after ${runs} runs`)
        // Whatever ends it, it leaves the smallest of a second ago.
        if (performance.now() - kept > 1_000) await keep(smaller)
      },
    })
    await keep(shrunk.scenario)
    const seconds = ((performance.now() - began) / 1_000).toFixed(1)
    const end = shrunk.isMinimal ? '' : ' It was interrupted: there may be smaller ones.'
    console.log(
      `${out}: ${sizeText(sizeOf(scenario))} → ${sizeText(sizeOf(shrunk.scenario))}, by ${shrunk.runs} runs of the ` +
        `check in ${seconds} s; ${shrunk.invalid} candidates were no scenarios.${end}`,
    )
    return shrunk.isMinimal ? exitCodes.ok : 130
  } finally {
    process.off('SIGINT', stop)
    await trial.end()
  }
}

/** Rows are left out of a world that stands in the file. */
async function withWorld(scenario: Scenario): Promise<Scenario> {
  const { world } = scenario
  return typeof world === 'string' && fixtureNames.includes(world)
    ? { ...scenario, world: await readWorld(world) }
    : scenario
}

function smallName(file: string): string {
  return `${file.replace(/\.json$/, '')}.small.json`
}

function sizeText({ steps, rows, fields }: Size): string {
  return `${steps} ${steps === 1 ? 'step' : 'steps'}, ${rows} ${rows === 1 ? 'row' : 'rows'}, ${fields} fields`
}

function unwritable(file: string, error: unknown): UsageError {
  const { code } = error as { code?: string }
  return new UsageError(
    `Failed to write ${file}: expected a file in a folder that can be written, got ${code}. Choose another with --out.`,
  )
}
