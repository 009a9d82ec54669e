import { availableParallelism } from 'node:os'
import { createCommandRunner } from '../exec/command-runner.ts'
import type { CommandLine } from '../exec/run-command.ts'
import { writeReports } from '../report/run-reporter.ts'
import { type SettingValues, settingIds } from '../settings/setting.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { settingsOf } from '../sweep/client-trace.ts'
import { dependenceKinds, failingKinds, findDependences } from '../sweep/dependences.ts'
import { type Baseline, type SweepClient, sweepClient } from '../sweep/sweep.ts'
import { problemToReport, sweepToReport } from '../sweep/sweep-report.ts'
import { settingVariants, type Variant } from '../sweep/variant.ts'
import { didYouMean, inspectValue, UsageError } from '../utils/errors.ts'
import { formatCount, quoteForShell } from '../utils/text.ts'
import { type CommandResult, commandArgument, defineCommand, type FlagValues } from './command.ts'
import { type CommandContext, exitCodes } from './command-context.ts'
import { failOnFlag, flagsOf, wholeNumber } from './flags.ts'
import { openFromFlags, serviceFromFlags, toListenOptions } from './from-flags.ts'
import { withProgress } from './progress.ts'
import { redactCommand } from './redact-command.ts'

const help = `
sweep runs the command twice as it is, then under each other value of each setting that the simulator read, but for those
of --set. Each run has its own server, with the environment variables of exec. A failure counts if a second run fails, too.
A run that takes ten times as long as one without a change, and at least 30 seconds, fails.

It sweeps tests with simulators of their own, too: those of understudy-api/vitest, understudy-api/playwright and
withSimulator() have the settings of the run, beneath those that a test names.

What a command depends on is
  documented     the documentation says it, and only assumed behaviour breaks the command
  source         the service's source does it, but the documentation does not say it
  assumed        neither the documentation nor the service's source shows it
  contradicted   the service's source does otherwise, and the command breaks with that

Examples:
  npx understudy-api sweep -- npm test
  npx understudy-api sweep --only annotations --jobs 1 -- npm test
  npx understudy-api sweep --report sweep.txt -- npm test

The exit code is 0 if nothing of --fail-on was found, 1 if something was or if the command fails by itself, 130 after an
interruption.`

const flags = {
  ...flagsOf('sweep'),
  '--jobs <number>': {
    text: 'how many runs happen at once',
    default: availableParallelism(),
    parse: wholeNumber('a whole number from 1 to 999999', 1, 999_999),
  },
  '--only <text>': 'try only services whose id contains this text',
  '--fail-on <kind>': failOnFlag(
    'exit with 1 for these dependences',
    dependenceKinds,
    failingKinds,
  ),
  '--json': 'print the report as JSON',
} as const

export default defineCommand({
  name: 'sweep',
  summary:
    'Run a command under every behaviour that the service could have, and report what it depends on.',
  args: [commandArgument],
  flags,
  help,
  run: ([line], values, context) => sweep(line as CommandLine, values, context),
})

type SweepFlags = FlagValues<typeof flags>

async function sweep(
  line: CommandLine,
  flags: SweepFlags,
  context: CommandContext,
): Promise<CommandResult | number> {
  const words = context.argv.slice(0, -line.length)
  const swept = { command: redactCommand(line, flags.redact), flags: execFlags(words) }
  const origin = await openFromFlags(flags, context)
  checkOnly(flags, origin.settings.values)
  let [tried, planned] = [0, 0]
  const describe = (): string =>
    planned === 0
      ? 'Running the command twice without a change'
      : `${tried} of ${planned} services tried`
  const onOutcome = (): void => {
    tried += 1
  }
  const client = await createClient(line, origin, flags, context)
  const work = sweepClient({ ...client, onOutcome }, (baseline) => {
    const settings = settingsOf(baseline.trace, origin.settings.values)
    const variants = listVariants(baseline, settings, flags)
    planned = variants.length
    context.printError(describePlan(planned, baseline, flags.jobs))
    return variants
  })
  const ran = await withProgress(context, describe, work)
  const { baseline, outcomes } = ran
  if (baseline.verdict !== 'steady') {
    const problem = problemToReport(swept.command, ran, flags.jobs)
    context.printError(problem.text)
    if (flags.json) context.printJson(problem.json)
    await writeReports(problem, flags.report, context.printError)
    return baseline.verdict === 'interrupted' ? exitCodes.interrupted : exitCodes.failed
  }
  const isInterrupted = context.signal.aborted
  const settings = settingsOf(baseline.trace, origin.settings.values)
  const dependences = findDependences(outcomes, settings)
  const result = { baseline, settings, outcomes, dependences, planned, isInterrupted }
  const report = sweepToReport({ ...swept, ...result })
  await writeReports(report, flags.report, context.printError)
  const hasFailed = dependences.some(({ kind }) => flags.failOn.includes(kind))
  const exitCode = hasFailed ? exitCodes.failed : exitCodes.ok
  const { json, text } = report
  return { json, text, exitCode: isInterrupted ? exitCodes.interrupted : exitCode }
}

async function createClient(
  line: CommandLine,
  origin: Simulator,
  flags: SweepFlags,
  context: CommandContext,
): Promise<SweepClient> {
  const { jobs, token, env, fault: faults } = flags
  const { signal } = context
  const options = await toListenOptions(flags)
  const service = serviceFromFlags(flags)
  const run = createCommandRunner({ line, origin, service, options, token, env, faults, signal })
  return { run, jobs, signal }
}

/** Says how many services are tried, and how long that takes, by the time of the runs so far. */
function describePlan(count: number, { runs }: Baseline, jobs: number): string {
  const atOnce = Math.min(jobs, count)
  const mean = runs.reduce((sum, { ms }) => sum + ms, 0) / runs.length
  const seconds = Math.ceil((mean * count) / Math.max(1, atOnce) / 1_000)
  const time = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
  return `Trying ${formatCount(count, 'other service')}, ${atOnce} at once: about ${time}.`
}

/** Lists the services to try: other values of the settings that the simulator read, and others of the flags. */
function listVariants({ trace }: Baseline, settings: SettingValues, flags: SweepFlags): Variant[] {
  const consulted = settingIds.filter((id) => trace.consulted.includes(id) && !(id in flags.set))
  return settingVariants(consulted, settings).filter(({ id }) => id.includes(flags.only ?? ''))
}

/** The flags that decide what is served. `exec` has them, too. */
const servedFlags = Object.keys(flagsOf('sweep')).filter(
  (name) => !/^--(report|redact|token) /.test(name),
)

/**
 * The flags with which `exec` serves what `sweep` did, quoted for a shell.
 *
 * @param words the command line before the command
 * @example execFlags(['--jobs', '1', '--profile', 'live']) // ['--profile live']
 */
export function execFlags(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    const [flag, value] = word.split('=', 2)
    const served = servedFlags.find((name) => name.split(' ')[0] === flag)
    if (served === undefined) return []
    const count = value !== undefined || !served.includes('<') ? 1 : 2
    const flags = words.slice(index, index + count)
    return flags.map(quoteForShell).join(' ')
  })
}

/** Checks that a service can have an id with the text of `--only`. @throws UsageError with the nearest id */
function checkOnly({ only = '' }: SweepFlags, settings: SettingValues): void {
  const ids = settingVariants(settingIds, settings).map(({ id }) => id)
  if (ids.some((id) => id.includes(only))) return
  const near = didYouMean(only, [...settingIds, ...ids])
  const hint =
    near === undefined ? ' npx understudy-api settings lists the ids.' : ` Did you mean ${near}?`
  throw new UsageError(
    `Failed to read --only: no id of a service contains ${inspectValue(only)}.${hint}`,
  )
}
