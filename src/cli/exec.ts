import { basename } from 'node:path'
import process from 'node:process'
import { explainMissing } from '../exec/missing-requests.ts'
import type { ProcessTree } from '../exec/process-tree.ts'
import { type CommandLine, runChild, serveWhile } from '../exec/run-command.ts'
import { LiveMistakes } from '../mistakes/live-mistakes.ts'
import { clientRules } from '../mistakes/mistake-finder.ts'
import { indent, maxRequests, withTitle } from '../report/failed-requests.ts'
import { describeMistakes, isFailing, listMistakes } from '../report/mistake-lines.ts'
import { followRun } from '../report/recorded-usage.ts'
import { RunReporter } from '../report/run-reporter.ts'
import type { RunUsage } from '../report/run-usage.ts'
import { isRequestStep } from '../scenarios/format/scenario.ts'
import type { Recording } from '../scenarios/recording/recorder.ts'
import { describeUnapplied } from '../simulator/faults/unapplied.ts'
import type { JournalLimits } from '../simulator/journal/journal.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { statsOf } from '../utils/files.ts'
import { formatJson } from '../utils/format-json.ts'
import { LiveFile } from '../utils/live-file.ts'
import { formatCount, quoteForShell } from '../utils/text.ts'
import { writeNamedFile } from '../world/persistence/atomic-write.ts'
import { commandArgument, defineCommand, type FlagValues } from './command.ts'
import { type CommandContext, painter } from './command-context.ts'
import { crashError } from './crash.ts'
import { anyPort, flagsOf } from './flags.ts'
import { closedAdmin, isAdminOpen, openFromFlags, toListenOptions } from './from-flags.ts'
import { RequestLog } from './log.ts'
import { followSignals } from './process-streams.ts'
import { redactCommand } from './redact-command.ts'

const help = `
The command gets these environment variables:
  UNDERSTUDY_URL               URL of the API
  UNDERSTUDY_KEY               the first key with full access; with --profile live one without scopes, such as phx_old
  UNDERSTUDY_PROJECT_ID        the first project of the world
  UNDERSTUDY_ORGANIZATION_ID   the organization of the project
  UNDERSTUDY_ADMIN_URL         URL of the admin API, for connect() and clients that are generated from its
                               document /__admin/openapi.json
  UNDERSTUDY_TOKEN             token of the admin API, with --token

With --record the requests of the command become a scenario with their world, without secrets, whatever the exit code.

Examples:
  npx understudy-api exec -- npm test
  npx understudy-api exec --world ./world.json --profile live -- node client.js
  npx understudy-api exec --env API_URL=url --env API_KEY=key -- pytest
  npx understudy-api exec --fault flaky --seed 2 --record run.json -- npm test
  npx understudy-api exec --report test-results/report.html --mistakes fail -- npm test
  npx understudy-api exec --port 4010 -- npx nuxt dev

Client mistakes are printed while the command runs and listed at the end; if the command fails, so are its requests
with a fault or a refusal and its latest ones. The exit code is that of the command, 127 if it does not exist, or 1 for --mistakes fail and --fail-on.`

const flags = {
  ...flagsOf('exec'),
  // Several commands can run at the same time.
  '--port <number>': anyPort,
} as const

export default defineCommand({
  name: 'exec',
  isServer: true,
  summary: 'Run a command with the API served alongside.',
  args: [commandArgument],
  flags,
  help,
  run: ([line], values, context) => exec(line as CommandLine, values, context),
})

type ExecFlags = FlagValues<typeof flags>

async function exec(line: CommandLine, flags: ExecFlags, context: CommandContext): Promise<number> {
  const { record: file, token, env, mistakes: mode, failOn } = flags
  const isReported = flags.report.length + failOn.length > 0 || mode === 'fail'
  const criteria = { file: flags.report, mistakes: mode, failOn }
  const reports = isReported ? new RunReporter(criteria, clientRules) : null
  const simulator = await openFromFlags(flags, context, file === undefined ? {} : wholeRun)
  const requests = followRequests(simulator)
  const log = new RequestLog(context)
  let isRunning = true
  const live = new LiveMistakes(simulator, (mistake) => {
    // Those of the end are listed.
    if (isRunning && mode !== 'off') log.mistake(mistake)
  })
  const usageOf = followRun(simulator, live)
  simulator.faults.addInitial(flags.fault)
  let hasCrashed = false
  context.onCrash((error) => {
    hasCrashed = true
    context.printError(crashError(error, flags.handlers).message)
  })
  const served = { simulator, options: await toListenOptions(flags), token, env }
  const recording = file === undefined ? null : recordRun(simulator, file, line, context)
  const code = await serveWhile(served, (variables, url) => {
    context.printError(startLine(url, flags, context))
    const printError = (message: string): void => context.printError(message)
    const forward = (processes: ProcessTree) => forwardSignals(processes, printError)
    return runChild(line, { stdio: 'inherit', env: variables }, forward, printError)
  })
  isRunning = false
  const usage = usageOf()
  const messages = [
    ...describeUnapplied(simulator.faults.totals()),
    ...requests.describe(code),
    // A report lists them.
    ...(isReported || mode === 'off' ? [] : describeMistakesOf(usage, code)),
    ...((await recording?.end()) ?? []),
  ]
  for (const message of messages) context.printError(message)
  const command = `npx understudy-api exec -- ${redactCommand(line, flags.redact)}`
  const reported = await reports?.finish([usage], command)
  for (const message of reported?.lines ?? []) context.printError(message)
  // A report has said it already, without the cure.
  const fact = reported ? [] : ['The command sent no request to the API.']
  if (requests.areMissing(code)) context.printError([...fact, ...explainMissing()].join(' '))
  return code === 0 && (hasCrashed || reported?.hasFailed) ? 1 : code
}

/** Where the API is, while the command runs. */
function startLine(url: string, flags: ExecFlags, { stderr }: CommandContext): string {
  const paint = painter(stderr)
  const dashboard = isAdminOpen(flags) ? paint('name', `${url}/__admin/`) : closedAdmin
  return `Understudy is serving ${paint('name', url)} while the command runs. Dashboard: ${dashboard}`
}

/** Shows the mistakes of a command that failed, and names those of one that did not. */
function describeMistakesOf({ mistakes }: RunUsage, code: number): string[] {
  if (hasFailed(code)) return describeMistakes(mistakes)
  const lines = listMistakes(mistakes)
  const setting = mistakes.some(isFailing)
    ? 'With --mistakes fail the mistakes fail the run, and --mistakes off prints nothing.'
    : '--mistakes off prints nothing.'
  const hint = `To see the requests and what to do: exec --report report.html. ${setting}`
  return lines.length === 0 ? [] : [...lines, hint]
}

/** The journal of a run that is recorded keeps more than that of other runs. */
const wholeRun: JournalLimits = { entries: 100_000, bytes: 256 * 2 ** 20, body: 4 * 2 ** 20 }

/**
 * Writes the requests of a command as a scenario, while it runs.
 *
 * @returns `end`, which writes the rest and says what was written. It throws a UsageError for a file that cannot be
 */
function recordRun(
  simulator: Simulator,
  file: string,
  [command]: CommandLine,
  context: CommandContext,
): { end(): Promise<string[]> } {
  let recorded: Recording | null = null
  const write = async (): Promise<void> => {
    if (simulator.journal.find({ limit: 1 }).length === 0) return
    recorded = simulator.record({ title: `A run of ${basename(command)}` })
    const text = `${formatJson(recorded.scenario)}\n`
    await writeNamedFile(file, text)
  }
  const live = new LiveFile(write, (error) => context.printError((error as Error).message))
  simulator.journal.followWritten(() => live.grow())
  let inSandboxes = 0
  simulator.sandboxes.follow((_, { journal }) => {
    journal.followWritten(() => {
      inSandboxes += 1
    })
  })
  return {
    async end() {
      await live.end()
      if (!recorded) {
        const reason =
          inSandboxes === 0
            ? 'the command sent no request'
            : 'the command sent requests to sandboxes only, which are not recorded'
        const kept = statsOf(file) ? ' It still has its earlier content.' : ''
        return [`${file} was not written, because ${reason}.${kept}`]
      }
      const { scenario, warnings } = recorded
      const name = quoteForShell(file)
      const count = formatCount(scenario.steps.filter(isRequestStep).length, 'request')
      return [
        `Wrote ${count} to ${file}. Replay them with: npx understudy-api replay ${name}. Write a test of them with: npx understudy-api import ${name} --as vitest`,
        ...warnings.map((warning) => `${file}: ${warning}`),
      ]
    },
  }
}

/** Follows the requests to the server and to all sandboxes, also to those that the command creates and deletes. */
function followRequests(simulator: Simulator) {
  const latest: string[] = []
  const journals: Simulator['journal'][] = []
  /** Those that met a fault or were refused */
  const remarkable: string[] = []
  const keep = (list: string[], line: string): void => {
    if (list.push(line) > maxRequests) list.shift()
  }
  simulator.followWorlds(({ journal }) => {
    journals.push(journal)
    journal.followWritten(({ line: described, status, test, record }) => {
      const line = test === undefined ? described : `${described} (test ${JSON.stringify(test)})`
      keep(latest, line)
      if (record.fault !== null || status === 0 || status >= 400) keep(remarkable, line)
    })
  })
  const waiting = (): string[] => [...new Set(journals.flatMap((journal) => journal.waiting()))]
  return {
    /** Whether the command had the chance to send a request, and sent none */
    areMissing: (code: number): boolean =>
      latest.length + waiting().length === 0 && (code === 0 || hasFailed(code)),
    /** The requests of a command that failed. */
    describe(code: number): string[] {
      if (!hasFailed(code) || latest.length + waiting().length === 0) return []
      const lines = withTitle(latest, waiting())
      if (remarkable.every((line) => latest.includes(line))) return lines
      return ['Requests with a fault or a refusal:', ...remarkable.map(indent), ...lines]
    },
  }
}

/** Higher codes mean that the command was not started, or that a signal ended it. */
const hasFailed = (code: number): boolean => code > 0 && code < 126

/** How long exec waits for processes that a command leaves behind after a signal, in milliseconds, before it says so. */
const quietTime = 1_000

/** How long they have to end after that. `docker stop` waits as long in all. */
const graceTime = 9_000

/**
 * Sends the signals of this process to the command, and to the processes behind it: `npx` does not.
 *
 * @returns a function that waits for their end. A signal that comes then kills them
 */
function forwardSignals(processes: ProcessTree, print: (message: string) => void) {
  let isSignalled = false
  let hasEnded = false
  const kill = (reason: string): void => {
    const { length } = processes.remember()
    if (length === 0) return
    processes.signal('SIGKILL')
    print(`Killed ${describeLeft(length)}, ${reason}.`)
  }
  const stop = followSignals((signal) => {
    isSignalled = true
    if (hasEnded) kill(`because of ${signal}`)
    // A second signal would interrupt the cleanup.
    else if (isSentByTerminal(signal)) processes.remember()
    else processes.signal(signal)
  })
  return async (): Promise<void> => {
    hasEnded = true
    const left = isSignalled ? await processes.waitForEnd(quietTime) : 0
    if (left > 0) {
      print(
        `Waiting for ${describeLeft(left)}. Another signal, such as Ctrl-C, kills what is left.`,
      )
      if ((await processes.waitForEnd(graceTime)) > 0) kill('which did not end within 10 s')
    }
    stop()
  }
}

const describeLeft = (count: number): string =>
  `${formatCount(count, 'process', 'processes')} that the command left behind`

/** A terminal sends Ctrl-C and Ctrl-\\ to all its processes. So does Windows with each signal that a process can get. */
function isSentByTerminal(signal: NodeJS.Signals): boolean {
  return process.platform === 'win32' || (/^SIG(?:INT|QUIT)$/.test(signal) && process.stdin.isTTY)
}
