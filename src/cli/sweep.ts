import { confirmFailures } from '../analysis/variants/confirm-failures.ts'
import {
  findDependences,
  unnoticedFields,
  unnoticedFinding,
} from '../analysis/variants/dependences.ts'
import { responseVariants } from '../analysis/variants/response-variants.ts'
import {
  type Baseline,
  runUnchanged,
  runVariants,
  type SweepClient,
  type VariantOutcome,
} from '../analysis/variants/sweep.ts'
import { markUntested } from '../analysis/variants/untested.ts'
import { settingVariants, type Variant } from '../analysis/variants/variant.ts'
import { type SettingValues, settingIds } from '../settings/setting.ts'
import type { Simulator } from '../simulator.ts'
import { formatFinding } from '../utils/reports/report.ts'
import type { CommandResult } from './command.ts'
import { type CommandContext, exitCodes } from './command-context.ts'
import { addFaultsFromFlags, openSimulator, toListenOptions } from './from-flags.ts'
import { formatCount } from './output.ts'
import { redactCommand } from './redact.ts'
import { type CommandLine, defineWrapper } from './run-command.ts'
import { createCommandRunner } from './sweep/command-runner.ts'
import {
  checkOnly,
  checkSweepFlags,
  execFlags,
  failingKindsOf,
  type SweepFlags,
  sweepFlags,
} from './sweep/sweep-flags.ts'
import {
  describeProblem,
  flakyNotes,
  toProblemReport,
  toReport,
  unconfirmedNotes,
} from './sweep/sweep-report.ts'
import { writeReports } from './write-reports.ts'

const help = `
sweep runs the command twice as it is, then under each other value of each setting that the simulator read. A setting
that it did not read cannot change a response, and one that --set sets stays as it is. Each run has
its own server, with the environment variables of exec. A failure counts if it repeats beside further runs without a
change. For settings of whole numbers it tries pages of 2 and 100 rows, and bodies of 102,400 and 20,971,520 bytes.

Tests with simulators of their own, such as those of understudy-api/vitest, send it no requests. Run them with the
reporter understudy-api/vitest/sweep instead: npx vitest run --reporter=understudy-api/vitest/sweep

What a command depends on is
  documented     the documentation says it, and only assumed behaviour breaks the command
  observed       the live service was seen doing it, but the documentation does not say it
  assumed        neither the documentation nor the live service shows it
  contradicted   the live service was seen doing otherwise, and the command breaks with that

Examples:
  npx understudy-api sweep -- npm test
  npx understudy-api sweep --only annotations --jobs 1 -- npm test
  npx understudy-api sweep --responses --report sweep.html -- npm test

The exit code is 0 if nothing of --fail-on was found, 1 if something was or if the command fails by itself, 130 after an
interruption.`

export default defineWrapper({
  name: 'sweep',
  summary: 'Run a command against each plausible service, and report what it depends on.',
  flags: sweepFlags,
  help,
  run: sweep,
})

async function sweep(
  line: CommandLine,
  flags: SweepFlags,
  context: CommandContext,
): Promise<CommandResult | number> {
  checkSweepFlags(line, flags)
  const words = context.argv.slice(0, -line.length)
  const swept = { command: redactCommand(line, flags.redact), flags: execFlags(words) }
  const origin = await openSimulator(flags)
  const settings = origin.settings.values
  if (!flags.responses) checkOnly(flags, settings, [])
  const createClient = await clientFactory(line, origin, flags, context)
  const limit = flags.timeout ?? null
  const baseline = await runUnchanged(createClient(limit))
  if (baseline.verdict !== 'steady') return reportProblem(baseline, swept.command, flags, context)
  const slowest = Math.max(...baseline.runs.map(({ ms }) => ms))
  const client = createClient(limit ?? Math.max(30_000, 10 * slowest))
  const outcomes = await tryVariants(listVariants(baseline, settings, flags), client, context)
  const confirmed = await confirmFailures(baseline, outcomes, client)
  if (confirmed.baseline.verdict !== 'steady') {
    return reportProblem(confirmed.baseline, swept.command, flags, context)
  }
  const known = markUntested(confirmed.outcomes, baseline.trace)
  const isInterrupted = context.signal.aborted
  const dependences = findDependences(known, settings)
  const notes = [
    ...flakyNotes(known),
    ...unconfirmedNotes(known),
    ...(flags.responses ? unnoticedFinding(unnoticedFields(known)).flatMap(formatFinding) : []),
  ]
  const found = { baseline, settings, outcomes: known, dependences, isInterrupted, notes }
  const report = toReport({ ...swept, ...found })
  await writeReports(report, flags.report, context)
  const failing = failingKindsOf(flags)
  const hasFailed = dependences.some(({ kind }) => failing.includes(kind))
  const exitCode = hasFailed ? exitCodes.failed : exitCodes.ok
  const { json, text = '' } = report
  return { json, text, exitCode: isInterrupted ? exitCodes.interrupted : exitCode }
}

/** Returns a function that creates the client of a sweep, whose runs end after a time in milliseconds. */
async function clientFactory(
  line: CommandLine,
  origin: Simulator,
  flags: SweepFlags,
  context: CommandContext,
): Promise<(timeout: number | null) => SweepClient> {
  const { jobs, token, responses: withVariants = false } = flags
  const options = await toListenOptions(flags)
  const addFaults = (target: Simulator): void => addFaultsFromFlags(target, flags)
  const runner = { line, origin, options, token, withVariants, addFaults }
  const { signal } = context
  return (timeout) => ({ run: createCommandRunner({ ...runner, timeout }, context), jobs, signal })
}

/** Reports why a command cannot be swept. @returns the exit code */
async function reportProblem(
  baseline: Baseline,
  command: string,
  flags: SweepFlags,
  context: CommandContext,
): Promise<number> {
  const { verdict } = baseline
  const problem = describeProblem(baseline, flags.jobs)
  context.printError(problem)
  const report = toProblemReport(command, verdict, problem)
  if (flags.json) context.printJson(report.json)
  await writeReports(report, flags.report, context)
  return verdict === 'interrupted' ? exitCodes.interrupted : exitCodes.failed
}

/** Lists the services to try: other values of the settings that the simulator read, and others of the flags. */
function listVariants({ trace }: Baseline, settings: SettingValues, flags: SweepFlags): Variant[] {
  const consulted = settingIds.filter((id) => trace.consulted.includes(id) && !(id in flags.set))
  const ofResponses = responseVariants(trace.variants ?? {}, settings)
  if (flags.responses) checkOnly(flags, settings, ofResponses)
  return [...settingVariants(consulted, settings), ...ofResponses].filter(({ id }) =>
    id.includes(flags.only ?? ''),
  )
}

/** Tries services, and says how far it is after each ten. */
async function tryVariants(
  variants: readonly Variant[],
  client: SweepClient,
  context: CommandContext,
): Promise<VariantOutcome[]> {
  const services = formatCount(variants.length, 'other service')
  const atOnce = Math.min(client.jobs ?? 1, variants.length)
  context.printError(`Trying ${services}, ${atOnce} at once.`)
  let done = 0
  const onOutcome = (): void => {
    done += 1
    if (done % 10 === 0) context.printError(`${done} of ${services} tried.`)
  }
  return runVariants(variants, { ...client, onOutcome })
}
