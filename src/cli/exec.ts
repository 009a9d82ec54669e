import type { ChildProcess } from 'node:child_process'
import { basename } from 'node:path'
import process from 'node:process'
import { RunFollower } from '../analysis/report/run-follower.ts'
import { describeRequest, maxRequests, withTitle } from '../integrations/testing/failed-requests.ts'
import { RunReports } from '../integrations/testing/run-reports.ts'
import { type FaultRequest, parseFaultRequest } from '../sandbox/faults/fault-request.ts'
import { ActiveRule } from '../sandbox/faults/faults.ts'
import type { SimulatorBase } from '../sandbox/simulator-base.ts'
import { escapeLiterals } from '../scenarios/format/values.ts'
import { RunRecorder } from '../scenarios/recording/capture-run.ts'
import type { ListenOptions } from '../server/listen.ts'
import type { Simulator } from '../simulator.ts'
import { removeTemporaryFiles } from '../world/persistence/lock-file.ts'
import { Bundle, partialFileSuffix } from './bundle.ts'
import type { FlagValues } from './command.ts'
import type { CommandContext } from './command-context.ts'
import { flagsOf, forceFlag } from './flags.ts'
import {
  addFaultsFromFlags,
  openSimulator,
  policiesFromFlags,
  toListenOptions,
} from './from-flags.ts'
import { formatCount } from './output.ts'
import { redactCommand } from './redact.ts'
import {
  type CommandLine,
  createSandbox,
  defineWrapper,
  runChild,
  serveWhile,
} from './run-command.ts'

const help = `
The command gets these environment variables:
  UNDERSTUDY_URL               URL of the API
  UNDERSTUDY_KEY               a key, which selects a sandbox of its own
  UNDERSTUDY_PROJECT_ID        a project that the key can access
  UNDERSTUDY_ORGANIZATION_ID   the organization of the project
  UNDERSTUDY_ADMIN_URL         URL of the sandbox's control API, for connect()
  UNDERSTUDY_TOKEN             token of the control API, with --token

With --bundle the command gets the whole server instead of a sandbox, and all requests and responses are written to one
file. npx understudy-api replay FILE replays them.

Examples:
  npx understudy-api exec -- npm test
  npx understudy-api exec --data ./world.json --profile live -- node client.js
  npx understudy-api exec --fault flaky -- npm test
  npx understudy-api exec --fault flaky --seed 2 -- npm test      other requests fail
  npx understudy-api exec --fault flaky --bundle run.json -- npm test
  npx understudy-api exec --report report.html --fail-on assumed -- npm test
  npx understudy-api exec --intercept app.example.com -- python3 deploy.py

If the command fails, its latest requests are printed. The exit code is that of the command; 127 if the command does not
exist. If the command succeeds, and the run breaks a rule of --fail-on, the exit code is 1.`

const flags = {
  ...flagsOf('exec'),
  '--force': forceFlag,
} as const

export default defineWrapper({
  name: 'exec',
  summary: 'Run a command with the API served alongside.',
  flags,
  help,
  run: exec,
})

type ExecFlags = FlagValues<typeof flags>

async function exec(line: CommandLine, flags: ExecFlags, context: CommandContext): Promise<number> {
  const { bundle: file } = flags
  const listenOptions = toListenOptions(flags)
  const isReported = flags.report.length + flags.failOn.length > 0
  const reports = isReported ? new RunReports({ ...flags, file: flags.report }) : null
  const simulator = await openSimulator(flags, context)
  const requestMessages = followRequests(simulator, isReported, flags.intercept.length > 0)
  // A bundle has to contain all that happens, so there is no sandbox.
  const sandbox = file === undefined ? createSandbox(simulator) : null
  const target = sandbox === null ? simulator : (simulator.sandboxes.get(sandbox) as Simulator)
  target.sandbox.name = findTest(process.env)
  const follower = isReported ? new RunFollower(simulator, sandbox) : null
  addFaultsFromFlags(target, flags, context)
  if (file !== undefined) await removeTemporaryFiles(file, partialFileSuffix)
  const bundle =
    file === undefined ? null : openBundle(simulator, file, `A run of ${basename(line[0])}`, flags)
  const recorder = bundle && new RunRecorder(simulator, bundle)
  const serverCalls: string[] = []
  const options: ListenOptions = {
    ...listenOptions,
    ...(recorder && { onArrival: () => simulator.clock.captureNow() }),
    onControl(call) {
      recorder?.addControlCall(call)
      if (call.simulator === simulator) serverCalls.push(call.operation)
    },
  }
  const { intercept, token } = flags
  const served = { simulator, sandbox, options, intercept, token }
  const code = await serveWhile(served, context, (env) => {
    const printError = (message: string): void => context.printError(message)
    return runChild(line, { stdio: 'inherit', env }, forwardSignals, printError)
  })
  recorder?.stop()
  const messages = [
    ...unusedFaultMessages(target, flags.fault),
    ...requestMessages(code, sandbox !== null, serverCalls),
    ...((await bundle?.finish()) ?? []),
  ]
  for (const message of messages) context.printError(message)
  if (!reports || !follower) return code
  const command = `understudy exec -- ${redactCommand(line, flags.redact)}`
  const { lines, hasFailed } = reports.finish([follower.finish()], command)
  for (const message of lines) context.printError(message)
  return code === 0 && hasFailed ? 1 : code
}

function openBundle(
  { clock, world }: Simulator,
  file: string,
  title: string,
  { profile, fault, ...flags }: ExecFlags,
): Bundle {
  clock.captureNow()
  const policies = policiesFromFlags(flags)
  const bundle = new Bundle(file, {
    title,
    profile,
    ...(Object.keys(policies).length > 0 && { policies }),
    clock: clock.iso(),
    world: world.toTexts(),
  })
  for (const request of fault) bundle.add({ fault: escapeLiterals(request) as typeof request })
  return bundle
}

/** Follows the requests to the server and to all sandboxes, also to those that the command creates and deletes. */
function followRequests(simulator: Simulator, isReported: boolean, isIntercepting: boolean) {
  const latest: string[] = []
  let strays = 0
  const follow = ({ journal }: Simulator, isServer: boolean): void => {
    journal.followSummaries(({ target: path, key: label, status, ...summary }) => {
      const key = label === null ? null : { label, value: label }
      const [reason, decided_by] = [summary.reason(), summary.decidedBy()]
      const details = { reason, decided_by, ignored: [...summary.ignored()], response: { status } }
      latest.push(describeRequest({ ...details, method: summary.method, path, query: {}, key }))
      if (latest.length > maxRequests) latest.shift()
      // A refused key selects no world.
      if (isServer && key && summary.operation !== null && status !== 401) strays++
    })
  }
  follow(simulator, true)
  simulator.sandboxes.follow((_id, sandbox) => follow(sandbox, false))
  return (code: number, hasSandbox: boolean, serverCalls: readonly string[]): string[] => {
    const warnings: string[] = []
    if (strays > 0) {
      const count = formatCount(strays, 'request')
      warnings.push(`${count} used keys that do not select the sandbox. Use UNDERSTUDY_KEY.`)
    } else if (serverCalls.length > 0 && !serverCalls.includes('createSandbox')) {
      // A command that creates sandboxes can prepare the world that they start with.
      const count = formatCount(serverCalls.length, 'call')
      warnings.push(
        `${count} to UNDERSTUDY_URL/__admin reached the world of the server, but the keys select the sandbox. Use UNDERSTUDY_ADMIN_URL.`,
      )
    }
    // Higher codes mean that the command was not started, or that a signal ended it.
    const hasFailed = code > 0 && code < 126
    if (latest.length === 0)
      return (code === 0 || hasFailed) && !isReported ? [noRequests(isIntercepting)] : []
    return [...(hasSandbox ? warnings : []), ...(hasFailed ? withTitle(latest) : [])]
  }
}

function noRequests(isIntercepting: boolean): string {
  const hint = isIntercepting
    ? '--intercept needs a client that uses the proxy of its environment, as Node does from 22.21 and 24.5 on.'
    : "Tests with simulators of their own do not need exec. If a setupServer refuses the requests (onUnhandledRequest: 'error'), let them pass: http.all(process.env.UNDERSTUDY_URL + '/*', () => passthrough())."
  return `The command sent no request to the API at UNDERSTUDY_URL. ${hint}`
}

/** The variables in which test runners name the test that starts a command. */
const testVariables = [
  'UNDERSTUDY_TEST',
  'PYTEST_CURRENT_TEST',
  'BATS_TEST_DESCRIPTION',
  'TEST_TARGET',
]

/** The name of the test that this process runs in, without the phase that pytest adds. */
function findTest(environment: NodeJS.ProcessEnv): string | null {
  const name = testVariables.map((variable) => environment[variable]).find(Boolean)
  return name?.replace(/ \((setup|call|teardown)\)$/, '') ?? null
}

const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Sends the signals of this process to the command, too. */
function forwardSignals(child: ChildProcess): () => void {
  const forward = (signal: NodeJS.Signals): void => {
    // A terminal sends Ctrl-C to the child as well. A second signal would interrupt its cleanup.
    if (signal === 'SIGINT' && process.stdin.isTTY) return
    child.kill(signal)
  }
  for (const signal of forwardedSignals) process.on(signal, forward)
  return () => {
    for (const signal of forwardedSignals) process.off(signal, forward)
  }
}

/** How many random numbers are drawn to find a seed. */
const maxDraws = 200_000
const maxSeed = 1_000

/** A random rule, and how many requests it matched. */
interface RandomRule {
  readonly create: () => ActiveRule
  readonly matched: number
}

/**
 * Returns a message if there were random faults and none was applied: the same seed never applies them.
 *
 * @param requests the faults that were added at the start
 */
function unusedFaultMessages(
  simulator: SimulatorBase,
  requests: readonly FaultRequest[],
): string[] {
  const infos = simulator.faults.list()
  const random = infos.filter(({ when }) => (when?.probability ?? 1) < 1)
  const count = Math.max(0, ...random.map(({ matched }) => matched))
  if (count === 0 || random.some(({ applied }) => applied > 0)) return []
  const rules = requests.flatMap(parseFaultRequest).map((rule, index) => {
    const id = `fault-${index + 1}`
    const matched = random.find((info) => info.id === id)?.matched ?? 0
    return { create: () => new ActiveRule(id, rule), matched }
  })
  // A restore starts the random numbers over, so they cannot be predicted from the counts.
  const wasRestored = simulator.sandbox.restoreCount > 0
  const seed = wasRestored ? null : findSeed(rules)
  const hint =
    seed === null
      ? 'another --seed selects other requests.'
      : `with --seed ${seed} the same requests meet one.`
  return [
    `No random fault was applied to ${formatCount(count, 'request')}. Faults are deterministic: ${hint}`,
  ]
}

/** Finds the lowest seed with which a rule applies to one of as many requests. Null if the search takes too long. */
function findSeed(rules: readonly RandomRule[]): number | null {
  const draws = rules.reduce((sum, { matched }) => sum + matched, 0)
  const last = Math.min(maxSeed, Math.floor(maxDraws / draws))
  for (let seed = 1; seed <= last; seed++) {
    if (rules.some((rule) => appliesWith(seed, rule))) return seed
  }
  return null
}

function appliesWith(seed: number, { create, matched }: RandomRule): boolean {
  const rule = create()
  for (let request = 0; request < matched; request++) {
    if (rule.countRequest({ seed, restoreCount: 0 })) return true
  }
  return false
}
