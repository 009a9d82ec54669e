import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { basename } from 'node:path'
import process from 'node:process'
import { Command } from 'commander'
import { sandboxPrefix } from '../http/url.ts'
import { describeRequest, maxRequests, withTitle } from '../integrations/testing/failed-requests.ts'
import { escapeLiterals } from '../scenarios/format/values.ts'
import { RunRecorder } from '../scenarios/recording/run-recorder.ts'
import { type ListenOptions, listen, pickListenOptions } from '../server/listen.ts'
import type { Simulator } from '../simulator.ts'
import { removeTemporaryFiles } from '../world/persistence/lock-file.ts'
import { Bundle, partialFileSuffix } from './bundle.ts'
import type { CommandContext } from './command-context.ts'
import {
  addFaultsFromFlags,
  createFlagOptions,
  type SimulatorFlags,
  warnAboutVariables,
} from './flags.ts'
import type { Interception } from './intercept/intercept.ts'
import { openSimulator } from './open-simulator.ts'
import { formatCount } from './output.ts'
import { type IngressFlags, readIngress } from './serve/ingress.ts'
import { unusedFaultMessages } from './unused-faults.ts'

const help = `
The command gets these environment variables:
  UNDERSTUDY_URL               URL of the API
  UNDERSTUDY_KEY               a key, which selects a sandbox of its own
  UNDERSTUDY_PROJECT_ID        a project that the key can access
  UNDERSTUDY_ORGANIZATION_ID   the organization of the project
  UNDERSTUDY_ADMIN_URL         URL of the sandbox's control API, for connect()
  UNDERSTUDY_TOKEN             token of the control API, with --token

With --bundle the command gets the whole server instead of a sandbox, and all requests and responses are written to one
file. npx understudy-api replay FILE replays them, and npx understudy-api shrink FILE reduces them.

Examples:
  npx understudy-api exec -- npm test
  npx understudy-api exec --data ./world.json --profile live -- node client.js
  npx understudy-api exec --fault flaky -- npm test
  npx understudy-api exec --fault flaky --seed 2 -- npm test      other requests fail
  npx understudy-api exec --fault flaky --bundle run.json -- npm test
  npx understudy-api exec --intercept app.example.com -- python3 deploy.py

If the command fails, its latest requests are printed. The exit code is that of the command; 127 if there is no such command.`

interface ExecFlags extends SimulatorFlags, IngressFlags {
  readonly bundle?: string
  readonly intercept: readonly string[]
}

export function execCommand(context: CommandContext): Command {
  const command = new Command('exec')
    .description('Run a command with the API served alongside.')
    .argument('<command...>', 'command to run, after --')
    .passThroughOptions()
    .addHelpText('after', help)
    .action(async (line: string[], flags: ExecFlags) => {
      context.exitCode = await exec(line as unknown as CommandLine, flags, context)
    })
  for (const option of createFlagOptions('exec', process.env)) command.addOption(option)
  return command
}

async function exec(line: CommandLine, flags: ExecFlags, context: CommandContext): Promise<number> {
  for (const warning of warnAboutVariables(process.env)) context.printError(warning)
  const { bundle: file } = flags
  const ingress = readIngress(flags)
  const simulator = await openSimulator(flags, context)
  const requestMessages = followRequests(simulator)
  // A bundle has to contain all that happens, so there is no sandbox.
  const sandbox = file === undefined ? createSandbox(simulator) : null
  const target = sandbox === null ? simulator : (simulator.sandboxes.get(sandbox) as Simulator)
  addFaultsFromFlags(target, flags, context)
  if (file !== undefined) await removeTemporaryFiles(file, partialFileSuffix)
  const bundle =
    file === undefined ? null : openBundle(simulator, file, `A run of ${basename(line[0])}`, flags)
  const recorder = bundle && new RunRecorder(simulator, bundle)
  const options: ListenOptions = {
    ...pickListenOptions(flags),
    ...ingress,
    forwardHosts: flags.intercept,
    ...(recorder && {
      onArrival: () => simulator.clock.captureNow(),
      onControl: (call) => recorder.addControlCall(call),
    }),
  }
  const server = await listen(simulator, options)
  let interception: Interception | null = null
  let code: number
  try {
    if (flags.intercept.length > 0) {
      const { startInterception } = await import('./intercept/intercept.ts')
      interception = await startInterception({
        hosts: flags.intercept,
        plain: server,
        listen: (tls) => listen(simulator, { ...options, tls }),
        onRefused: (host) => context.printError(refusedHostMessage(host, flags.intercept)),
      })
    }
    const { defaults } = target
    const path = sandbox === null ? '' : `${sandboxPrefix}/${sandbox}`
    const env = {
      ...process.env,
      UNDERSTUDY_URL: server.url,
      UNDERSTUDY_KEY: defaults.key,
      UNDERSTUDY_PROJECT_ID: String(defaults.project_id),
      UNDERSTUDY_ORGANIZATION_ID: defaults.organization_id,
      UNDERSTUDY_ADMIN_URL: `${server.url}${path}/__admin`,
      ...(flags.token !== undefined && { UNDERSTUDY_TOKEN: flags.token }),
      ...interception?.env,
    }
    code = await runChild(line, env, context)
  } finally {
    await interception?.close()
    await server.close()
  }
  recorder?.stop()
  const messages = [
    ...unusedFaultMessages(target, flags.fault),
    ...requestMessages(code, sandbox !== null),
    ...((await bundle?.finish()) ?? []),
  ]
  for (const message of messages) context.printError(message)
  return code
}

function refusedHostMessage(host: string, hosts: readonly string[]): string {
  return `The command asked for ${host}, and --intercept leads to ${hosts.join(', ')} only. Add --intercept ${host}, or let it through with NO_PROXY=${host}.`
}

function openBundle(
  { clock, world }: Simulator,
  file: string,
  title: string,
  { profile, policy, fault }: ExecFlags,
): Bundle {
  clock.captureNow()
  const bundle = new Bundle(file, {
    title,
    profile,
    ...(Object.keys(policy).length > 0 && { policies: policy }),
    clock: clock.iso(),
    world: world.toTexts(),
  })
  for (const request of fault) bundle.add({ fault: escapeLiterals(request) as typeof request })
  return bundle
}

/** All keys of the world select the sandbox, so that a test with a hard-coded key meets the faults, too. */
function createSandbox({ sandboxes, keys }: Simulator): string {
  const values = keys.list().map(({ value }) => [value, value])
  return sandboxes.create({ keys: Object.fromEntries(values) }).id
}

/** Follows the requests to the server and to all sandboxes, also to those that the command creates and deletes. */
function followRequests(simulator: Simulator): (code: number, hasSandbox: boolean) => string[] {
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
  return (code, hasSandbox) => {
    const warning = `${formatCount(strays, 'request')} used keys that do not select the sandbox. Use UNDERSTUDY_KEY.`
    // Higher codes mean that the command was not started, or that a signal ended it.
    const hasFailed = latest.length > 0 && code > 0 && code < 126
    return [...(hasSandbox && strays > 0 ? [warning] : []), ...(hasFailed ? withTitle(latest) : [])]
  }
}

/** A command and its arguments. They are not parsed by a shell. */
type CommandLine = readonly [command: string, ...args: string[]]

const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** @returns the exit code; 128 plus the number of a signal; 127 for an unknown command; 126 for one without permission */
async function runChild(
  [command, ...args]: CommandLine,
  env: NodeJS.ProcessEnv,
  context: CommandContext,
): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env })
  const forward = (signal: NodeJS.Signals): void => {
    // A terminal sends Ctrl-C to the child as well. A second signal would interrupt its cleanup.
    if (signal === 'SIGINT' && process.stdin.isTTY) return
    child.kill(signal)
  }
  for (const signal of forwardedSignals) process.on(signal, forward)
  try {
    return await new Promise<number>((resolve, reject) => {
      child.on('error', (error) => {
        // While the child runs, an error means that a signal could not be sent.
        if (child.pid === undefined) reject(error)
      })
      child.once('exit', (code, signal) => {
        resolve(code ?? 128 + constants.signals[signal as NodeJS.Signals])
      })
    })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    context.printError(spawnErrorMessage(command, code))
    return code === 'EACCES' ? 126 : 127
  } finally {
    for (const signal of forwardedSignals) process.off(signal, forward)
  }
}

function spawnErrorMessage(command: string, code = ''): string {
  if (code === 'EACCES') return `Cannot run ${command}: permission denied.`
  if (code !== 'ENOENT') return `Cannot run ${command} (${code}).`
  const hint = process.platform === 'win32' ? ' Run scripts such as npm with cmd /c npm.' : ''
  return `Command not found: ${command}.${hint}`
}
