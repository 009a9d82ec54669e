import { basename } from 'node:path'
import process from 'node:process'
import { LiveMistakes } from '../mistakes/follow-mistakes.ts'
import type { ClientMistake } from '../mistakes/rule.ts'
import { indent, maxRequests, withTitle } from '../report/failed-requests.ts'
import { describeMistakes, type MistakeMode } from '../report/mistake-lines.ts'
import { RunReporter } from '../report/run-reporter.ts'
import { followRun } from '../report/usage.ts'
import { isRequestStep } from '../scenarios/format/scenario.ts'
import type { FaultRequest } from '../simulator/faults/schema.ts'
import type { JournalLimits } from '../simulator/journal/journal.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { type RunService, reportToRun, serviceVariables } from '../sweep/swept-run.ts'
import { formatJson } from '../utils/format-json.ts'
import { formatCount, quoteForShell } from '../utils/text.ts'
import { writeNamedFile } from '../world/persistence/atomic-write.ts'
import { forwardSignals } from './forward-signals.ts'
import { type CommandLine, runChild, type ServedCommand, serveWhile } from './run-command.ts'

interface ExecOptions extends Omit<ServedCommand, 'variables'> {
  readonly line: CommandLine
  /** The command as a report shows it */
  readonly command: string
  /** What simulators of the command have, too */
  readonly service: RunService
  readonly faults: readonly FaultRequest[]
  /** The file of the scenario of its requests */
  readonly record?: string | undefined
  readonly mistakes: MistakeMode
  readonly report: readonly string[]
  readonly failOn: readonly string[]
}

interface ExecView {
  started(url: string): void
  /** The client did something wrong. At the end, mistakes are listed */
  mistake(mistake: ClientMistake): void
  ended(): void
  say(sentence: string): void
}

/**
 * Runs a command while the simulator is served.
 *
 * @returns the exit code of the command, or 1 if it succeeds and something of `failOn` or `mistakes` applies
 */
export async function exec(run: ExecOptions, view: ExecView): Promise<number> {
  const { simulator, line, record, report, failOn, mistakes: mode } = run
  const isReported = report.length + failOn.length > 0 || mode === 'fail'
  const criteria = { file: report, mistakes: mode, failOn }
  const reports = isReported ? new RunReporter(criteria) : null
  const requests = followRequests(simulator)
  let isRunning = true
  const live = new LiveMistakes(simulator, (mistake) => {
    // Those of the end are listed.
    if (isRunning && mode !== 'off') view.mistake(mistake)
  })
  const usageOf = followRun(simulator, live)
  reportToRun(simulator)
  simulator.faults.addInitial(run.faults)
  const variables = serviceVariables(run.service)
  const code = await serveWhile({ ...run, variables }, (env, url) => {
    // Before the line that others wait for, and before the command: a signal right after it would leave the command behind.
    const forward = forwardSignals(view.say)
    view.started(url)
    return runChild(line, { stdio: 'inherit', env }, forward, view.say)
  })
  isRunning = false
  view.ended()
  const usage = usageOf()
  const messages = [
    ...requests.describe(code),
    // A report lists them.
    ...(isReported || mode === 'off' ? [] : describeMistakes(usage.mistakes)),
    ...(record === undefined ? [] : await recordRun(simulator, record, line)),
  ]
  for (const message of messages) view.say(message)
  const reported = await reports?.finish([usage], `npx understudy-api exec -- ${run.command}`)
  for (const message of reported?.lines ?? []) view.say(message)
  // A report has said it already, without the cure.
  const fact = reported ? [] : ['The command sent no request to the API.']
  const { profile, settings } = run.service
  const isUsual = profile === 'documented' && Object.keys(settings).length === 0
  const ofTests = `Tests with fixtures of understudy-api ${isUsual ? 'do not need exec' : 'have these settings, too'}.`
  const cures = [ofTests, missingCure, proxyAdvice()].filter(Boolean)
  if (requests.areMissing(code)) view.say([...fact, ...cures].join(' '))
  return code === 0 && reported?.hasFailed ? 1 : code
}

const missingCure =
  'Another client has to read the address from UNDERSTUDY_URL and the key from UNDERSTUDY_KEY, or from variables that you name: --env API_URL=url --env API_KEY=key.'

/** What to do about a proxy that gets the requests to this machine. Empty without one */
function proxyAdvice() {
  const { HTTP_PROXY, http_proxy, NO_PROXY, no_proxy } = process.env
  const isExcepted = /127\.0\.0\.1|\*/.test(NO_PROXY ?? no_proxy ?? '')
  if (isExcepted || !(HTTP_PROXY || http_proxy)) return ''
  return 'HTTP_PROXY is set: clients that use it need NO_PROXY=localhost,127.0.0.1.'
}

/** Follows the requests to the server and to all sandboxes, also to those that the command creates and deletes. */
export function followRequests(simulator: Simulator) {
  const latest: string[] = []
  /** Those that met a fault or were refused */
  const remarkable: string[] = []
  const keep = (list: string[], line: string) => {
    if (list.push(line) > maxRequests) list.shift()
  }
  simulator.followWorlds(({ journal }) => {
    journal.followWritten(({ line: described, status, test, record }) => {
      const line = test === undefined ? described : `${described} (test ${JSON.stringify(test)})`
      keep(latest, line)
      if (record.fault !== null || status === 0 || status >= 400) keep(remarkable, line)
    })
  })
  const waiting = () => {
    // Those of a sandbox that has ended got their response, or were ended with it.
    return [...new Set(simulator.worlds.flatMap(([{ journal }]) => journal.waiting()))]
  }
  return {
    /** Whether the command had the chance to send a request, and sent none */
    areMissing: (code: number) =>
      latest.length + waiting().length === 0 && (code === 0 || hasFailed(code)),
    describe(code: number) {
      if (!hasFailed(code) || latest.length + waiting().length === 0) return []
      const lines = withTitle(latest, waiting())
      if (remarkable.every((line) => latest.includes(line))) return lines
      return ['Requests with a fault or a refusal:', ...remarkable.map(indent), ...lines]
    },
  }
}

/** Higher codes mean that the command was not started, or that a signal ended it. */
const hasFailed = (code: number) => code > 0 && code < 126

/** The journal of a run that is recorded keeps more than that of other runs. */
export const wholeRun: JournalLimits = { entries: 100_000, bytes: 256 * 2 ** 20, body: 4 * 2 ** 20 }

/** Writes the requests of a command as a scenario. @returns what was written @throws UsageError for a file that cannot be */
async function recordRun(simulator: Simulator, file: string, [command]: CommandLine) {
  if (simulator.journal.find({ limit: 1 }).length === 0) {
    return [
      `${file} was not written, because the journal has no request. Those to sandboxes are not recorded.`,
    ]
  }
  const { scenario, warnings } = simulator.record({ title: `A run of ${basename(command)}` })
  await writeNamedFile(file, `${formatJson(scenario)}\n`)
  const name = quoteForShell(file)
  const count = formatCount(scenario.steps.filter(isRequestStep).length, 'request')
  return [
    `Wrote ${count} to ${file}. To replay: npx understudy-api replay ${name}. To write a test: npx understudy-api import ${name} --as vitest`,
    ...warnings.map((warning) => `${file}: ${warning}`),
  ]
}
