import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { createIncidentCheck } from '../analysis/traffic/incident.ts'
import type { ParsedScenario } from '../scenarios/format/check-scenario.ts'
import type { Scenario } from '../scenarios/format/scenario.ts'
import { readScenario } from '../scenarios/library.ts'
import {
  createFailureCheck,
  type ProblemCheck,
  type Replay,
} from '../scenarios/shrink/same-failure.ts'
import {
  type CandidateCheck,
  measureScenario,
  type ScenarioSize,
  shrink,
} from '../scenarios/shrink/shrink.ts'
import { createSimulator } from '../simulator.ts'
import { escapeControls, quoteForShell } from '../utils/escape.ts'
import { failToWrite } from '../utils/files.ts'
import { formatJson } from '../utils/format-json.ts'
import { UsageError } from '../utils/usage-error.ts'
import { writeFileAtomically } from '../world/persistence/lock-file.ts'
import { type CommandResult, defineCommand } from './command.ts'
import { type CommandContext, exitCodes } from './command-context.ts'
import { forceFlag } from './flags.ts'
import { formatCount } from './output.ts'

const help = `
The check is a shell command. It gets each candidate as a file, whose path is {} in the command and the variable
UNDERSTUDY_SCENARIO. Its exit code says whether the problem is still present: 0 for no, any other code for yes. 126 and
127 mean that the check cannot be run. Without a check, the first step that fails in a replay must still fail with the
same status, and with the same expected and actual value in the same place. If every step passes, the same request must
still fail, or the client must break the same rule. The output says what is kept.

Examples:
  npx understudy-api shrink run.json --check 'node client-test.js {}'
  npx understudy-api shrink failed.json --out small.json

In the result, every step, row and field is needed: without any one of them the check passes. If you press Ctrl-C, the
smallest scenario so far is written.

Exit codes: 0; 130 if it was interrupted; 2 for an invalid file, or a check that passes for the whole scenario.`

export default defineCommand({
  name: 'shrink',
  summary: 'Reduce a failing scenario to the steps, rows and fields that its failure needs.',
  args: [['<file>', 'scenario file, such as a bundle']],
  flags: {
    '--check <command>': 'command that fails for the problem (default: a replay)',
    '--out <file>': { text: 'file for the result (default: FILE.small.json)', file: 'scenario' },
    '--force': forceFlag,
    '--json': 'print the sizes before and after, and the number of runs, as JSON',
  },
  help,
  run: ([file], { check, out = `${file.replace(/\.json$/, '')}.small.json` }, context) =>
    shrinkScenarioFile(file, check, out, context),
})

async function shrinkScenarioFile(
  file: string,
  command: string | undefined,
  out: string,
  context: CommandContext,
): Promise<CommandResult> {
  // Rows can only be left out of a world that is in the file.
  const scenario = await readScenario(file, { inlineWorld: true })
  const { signal } = context
  const folder = await mkdtemp(join(tmpdir(), 'understudy-shrink-'))
  const startedAt = performance.now()
  let isSmaller = false
  try {
    const problem = await (command === undefined
      ? findProblem(scenario)
      : createShellCheck(scenario, command, join(folder, 'scenario.json'), signal))
    context.printError(`  Kept: ${escapeControls(problem.kept)}`)
    const result = await shrink(problem.scenario, problem.check, {
      signal,
      async onSmaller(smaller, runs) {
        isSmaller = true
        const size = formatSize(measureScenario(smaller))
        context.printError(`  ${size} after ${formatCount(runs, 'run')}`)
      },
    })
    // Written only if it is smaller, because the file may have the better result of an earlier run.
    if (isSmaller) {
      await writeFileAtomically(out, [`${formatJson(result.scenario)}\n`]).catch(failToWrite(out))
    }
    const [before, after] = [measureScenario(scenario), measureScenario(result.scenario)]
    const ms = Math.round(performance.now() - startedAt)
    const { kept } = problem
    const { runs, invalid, isMinimal } = result
    const summary = isSmaller
      ? `${out}: ${formatSize(before)} → ${formatSize(after)}`
      : `${file}: nothing was left out of ${formatSize(before)}. ${out} was not written`
    const effort = `The check ran ${formatCount(runs, 'time')} in ${(ms / 1_000).toFixed(1)} s. ${formatCount(invalid, 'candidate was not a valid scenario', 'candidates were not valid scenarios')}.`
    const rest = isMinimal ? '' : ' The command was interrupted: smaller results may exist.'
    const written = isSmaller ? out : null
    return {
      json: { out: written, kept, before, after, runs, invalid, minimal: isMinimal, ms },
      text: `${summary}. ${effort}${rest}`,
      exitCode: isMinimal ? exitCodes.ok : exitCodes.interrupted,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function formatSize({ steps, rows, fields }: ScenarioSize): string {
  return `${formatCount(steps, 'step')}, ${formatCount(rows, 'row')}, ${formatCount(fields, 'field')}`
}

/** The step that fails, or what went wrong although every step passes. @throws UsageError if nothing went wrong */
async function findProblem(scenario: ParsedScenario): Promise<ProblemCheck> {
  const replay: Replay = async (candidate, options) => {
    // Lets the process handle signals between two replays.
    await setImmediate()
    return createSimulator().replay(candidate, options)
  }
  const problem =
    (await createFailureCheck(scenario, replay)) ?? (await createIncidentCheck(scenario, replay))
  if (problem) return problem
  throw new UsageError(
    'Failed to shrink: every step of the replay passes, no request failed, and no rule of the client was broken, so there is no problem to keep. Describe the problem with --check.',
  )
}

/** Runs a shell command for each scenario. @throws UsageError if it cannot be run, or passes for the whole scenario */
async function createShellCheck(
  scenario: ParsedScenario,
  command: string,
  file: string,
  signal: AbortSignal,
): Promise<ProblemCheck> {
  const fails = async (candidate: Scenario): Promise<boolean> => {
    await writeFile(file, JSON.stringify(candidate, null, 2))
    const code = await runShell(command, file, signal)
    if (code !== 126 && code !== 127) return code !== 0 && !signal.aborted
    throw new UsageError(
      `The check cannot be run (exit code ${code}): ${command}. Check its name and the PATH.`,
    )
  }
  if (await fails(scenario)) {
    const check: CandidateCheck = ({ scenario: candidate }) => fails(candidate)
    return { scenario, check, kept: `the check fails: ${command}` }
  }
  throw new UsageError(
    `The check passes for the whole scenario: ${command}. It must exit with a code other than 0 while the problem is present.`,
  )
}

/** Returns the exit code of a command, or 1 if a signal ended it. */
function runShell(command: string, file: string, signal: AbortSignal): Promise<number> {
  const quoted = process.platform === 'win32' ? `"${file}"` : quoteForShell(file)
  return new Promise((resolve, reject) => {
    const env = { ...process.env, UNDERSTUDY_SCENARIO: file }
    const options = { shell: true, stdio: 'ignore', env, signal } as const
    const child = spawn(command.replaceAll('{}', quoted), options)
    child.once('error', (error) => (signal.aborted ? resolve(0) : reject(error)))
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
