import { LiveMistakes } from '../mistakes/follow-mistakes.ts'
import type { ClientMistake } from '../mistakes/rule.ts'
import { describeMistakes, type MistakeMode } from '../report/mistake-lines.ts'
import { RunReporter } from '../report/run-reporter.ts'
import { followRun } from '../report/usage.ts'
import type { ListenOptions } from '../server/listen.ts'
import type { FaultRequest } from '../simulator/faults/schema.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { type RunService, reportToRun, serviceVariables } from '../sweep/swept-run.ts'
import { proxyAdvice } from '../utils/network.ts'
import { followRequests } from './followed-requests.ts'
import { forwardSignals } from './forward-signals.ts'
import type { ProcessTree } from './process-tree.ts'
import { recordRun } from './record-run.ts'
import { type CommandLine, runChild, type ServedValue, serveWhile } from './run-command.ts'

/** A command, and what is served and reported while it runs. */
interface ExecOptions {
  readonly line: CommandLine
  /** The command as a report shows it */
  readonly command: string
  readonly simulator: Simulator
  /** What simulators of the command have, too */
  readonly service: RunService
  readonly options: ListenOptions
  readonly token?: string | undefined
  readonly env: Readonly<Record<string, ServedValue>>
  readonly faults: readonly FaultRequest[]
  /** The file of the scenario of its requests */
  readonly record?: string | undefined
  readonly mistakes: MistakeMode
  /** The files of reports */
  readonly report: readonly string[]
  readonly failOn: readonly string[]
}

/** Follows a command. */
interface ExecView {
  /** The API is served, and the command starts */
  started(url: string): void
  /** The client did something wrong. At the end, mistakes are listed */
  mistake(mistake: ClientMistake): void
  /** The command has ended */
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
  const recording = record === undefined ? null : recordRun(simulator, record, line)
  const variables = serviceVariables(run.service)
  const code = await serveWhile({ ...run, variables }, (env, url) => {
    view.started(url)
    const forward = (processes: ProcessTree) => forwardSignals(processes, view.say)
    return runChild(line, { stdio: 'inherit', env }, forward, view.say)
  })
  isRunning = false
  view.ended()
  const usage = usageOf()
  const messages = [
    ...requests.describe(code),
    // A report lists them.
    ...(isReported || mode === 'off' ? [] : describeMistakes(usage.mistakes)),
    ...((await recording?.end()) ?? []),
  ]
  for (const message of messages) view.say(message)
  const reported = await reports?.finish([usage], `npx understudy-api exec -- ${run.command}`)
  for (const message of reported?.lines ?? []) view.say(message)
  // A report has said it already, without the cure.
  const fact = reported ? [] : ['The command sent no request to the API.']
  const { profile, settings } = run.service
  const isUsual = profile === 'documented' && Object.keys(settings).length === 0
  const ofTests = `Tests with simulators of their own ${isUsual ? 'do not need exec' : 'have these settings'}.`
  const cures = [missingCure, proxyAdvice(), ofTests].filter(Boolean)
  if (requests.areMissing(code)) view.say([...fact, ...cures].join(' '))
  return code === 0 && reported?.hasFailed ? 1 : code
}

const missingCure =
  'The client of the command has to read the address from UNDERSTUDY_URL and the key from UNDERSTUDY_KEY, or from variables that you name: --env API_URL=url --env API_KEY=key.'
