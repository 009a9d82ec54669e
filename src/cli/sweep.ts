import { availableParallelism } from 'node:os'
import { createCommandRunner } from '../exec/command-runner.ts'
import type { CommandLine } from '../exec/run-command.ts'
import { writeReports } from '../report/run-reporter.ts'
import { dependenceKinds, sweepCommand } from '../sweep/sweep-command.ts'
import { commandArgument, defineCommand } from './command.ts'
import { exitCodes } from './command-context.ts'
import { execFlags, redactCommand } from './command-line.ts'
import { failOnFlag, flagsOf, jsonFlag, wholeNumber } from './flags.ts'
import { openFromFlags, serviceFromFlags, toListenOptions } from './from-flags.ts'
import { withProgress } from './progress.ts'

const help = `
sweep runs the command twice as it is, then under each other value of each setting that the simulator read (of numbers, one
or two), except those of --set. Each run has its own server, with the environment variables of exec. A failure counts if a
second run fails, too. A run that takes ten times as long as one without a change, and at least 30 seconds, fails.

It sweeps tests with simulators of their own, too: those of understudy-api/vitest, understudy-api/playwright and
withSimulator() have the settings of the run, beneath those that a test names.

What a command depends on is
  source         the service's source does it, but the documentation does not say it
  assumed        neither the documentation nor the service's source shows it
  contradicted   the service's source does otherwise in one of its versions, and the command breaks with that

Examples:
  npx understudy-api sweep -- npm test
  npx understudy-api sweep --only annotations --jobs 1 -- npm test
  npx understudy-api sweep --report sweep.txt -- npm test

The exit code is 0 if nothing of --fail-on was found, 1 if something was or if the command cannot be swept, 2 if it cannot
run, 130 after an interruption.`

const flags = {
  ...flagsOf('sweep'),
  '--jobs <number>': {
    text: 'how many runs happen at once',
    default: availableParallelism(),
    parse: wholeNumber('a whole number from 1 to 999999', 1, 999_999),
  },
  '--only <text>': 'try only what has this text in SETTING=VALUE',
  '--fail-on <kind>': failOnFlag('exit with 1 for these dependences', dependenceKinds),
  '--json': jsonFlag,
} as const

export default defineCommand({
  name: 'sweep',
  summary:
    'Run a command under other behaviours that the service could have, and report what it depends on.',
  args: [commandArgument],
  flags,
  help,
  async run([words], flags, context) {
    const line = words as CommandLine
    const { signal, printError } = context
    const { jobs, token, env, only = '', set, fault: faults, redact, report: files } = flags
    const origin = await openFromFlags(flags, context)
    const options = await toListenOptions(flags)
    const service = serviceFromFlags(flags)
    const run = createCommandRunner({ line, origin, service, options, token, env, faults, signal })
    const { report, dependences } = await sweepCommand(
      {
        ...{ run, jobs, signal, only, kept: Object.keys(set), settings: origin.settings.values },
        command: redactCommand(line, redact),
        flags: execFlags(context.argv.slice(0, -line.length)),
      },
      { follow: (describe, work) => withProgress(context, describe, work), say: printError },
    )
    await writeReports(report, files, printError)
    const hasFailed = dependences?.some(({ kind }) => flags.failOn.includes(kind)) ?? true
    const exitCode = hasFailed ? exitCodes.failed : exitCodes.ok
    return { ...report, exitCode: signal.aborted ? exitCodes.interrupted : exitCode }
  },
})
