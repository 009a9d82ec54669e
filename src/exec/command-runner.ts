import type { StdioOptions } from 'node:child_process'
import { setMaxListeners } from 'node:events'
import type { FaultRequest } from '../simulator/faults/schema.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { followExchanges, type SweepClient, type TracedExchange, toTrace } from '../sweep/sweep.ts'
import { createTraceFile, type RunService, serviceVariables } from '../sweep/swept-run.ts'
import { UsageError } from '../utils/errors.ts'
import { abortOf, inTime, wait } from '../utils/wait.ts'
import type { ProcessTree } from './process-tree.ts'
import { type CommandLine, runChild, type ServedCommand, serveWhile } from './run-command.ts'

interface CommandRunnerOptions extends Pick<ServedCommand, 'options' | 'token' | 'env'> {
  readonly line: CommandLine
  /** The simulator that each run gets a copy of */
  readonly origin: Simulator
  readonly service: RunService
  readonly faults: readonly FaultRequest[]
  readonly signal: AbortSignal
}

/** The characters of output that are kept for reports. */
const keptOutput = 4_000

/** Milliseconds between the request to end and the forced end of a command. */
const graceTime = 2_000

/**
 * Runs a command with a copy of a simulator, and a server of its own, as `exec` does. The simulators of its tests have the
 * same settings, beneath those that a test names, and are traced, too.
 */
export function createCommandRunner(runner: CommandRunnerOptions): SweepClient['run'] {
  const { line, origin, service, options, token, env, faults, signal } = runner
  // Each of the runs that happen at once follows it.
  setMaxListeners(0, signal)
  return async (variant, limit) => {
    const simulator = origin.fork({ settings: variant?.settings })
    const served: TracedExchange[] = []
    followExchanges(simulator, 'served', (exchange) => served.push(exchange))
    const reported = createTraceFile()
    const settings = { ...service.settings, ...variant?.settings }
    // The usual key stays that of the unchanged run: another one would hide what depends on it.
    simulator.state.unchanged = origin.settings.values
    const ofService = serviceVariables({ ...service, settings }, service.settings)
    const variables = { ...ofService, ...reported.variables }
    simulator.faults.addInitial(faults)
    const startedAt = performance.now()
    let output = ''
    let isLate = false
    const serving = { simulator, options, token, env, variables }
    const start = (env: NodeJS.ProcessEnv) => {
      const watch = (processes: ProcessTree) => {
        const { child } = processes
        for (const stream of [child.stdout, child.stderr]) {
          stream?.on('data', (chunk: Buffer) => {
            output = `${output}${chunk}`.slice(-keptOutput)
          })
        }
        return endInTime(processes, limit, signal, () => {
          isLate = true
        })
      }
      const stdio: StdioOptions = ['ignore', 'pipe', 'pipe']
      // A process group of its own, so that processes that the command leaves behind are ended, too.
      return runChild(line, { stdio, env, detached: true }, watch, (message) => {
        throw new UsageError(message)
      })
    }
    try {
      const code = await serveWhile(serving, start)
      const ms = Math.round(performance.now() - startedAt)
      const trace = toTrace([...served, ...reported.exchanges()])
      const failure = isLate
        ? `the command does not end within ${Math.round((limit ?? 0) / 1000)} s`
        : code === 0
          ? null
          : `the command fails${code === 1 ? '' : ` (exit code ${code})`}`
      return { ...trace, failure, ms, output }
    } finally {
      reported.remove()
    }
  }
}

/**
 * Ends a command that takes too long, and when the sweep is interrupted.
 *
 * @returns a function for the end of the command: it ends the processes that the command left behind
 */
function endInTime(
  processes: ProcessTree,
  limit: number | null,
  signal: AbortSignal,
  onLate: () => void,
) {
  const { child } = processes
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const ended = new AbortController()
  const waitUntilEnd = (milliseconds: number) => wait(milliseconds, abortOf(ended.signal))
  const end = async () => {
    processes.signal('SIGTERM')
    if (await waitUntilEnd(graceTime)) processes.signal('SIGKILL')
  }
  if (limit !== null) {
    void waitUntilEnd(limit).then((isLate) => {
      if (!isLate) return
      onLate()
      return end()
    })
  }
  const stopFollowing = abortOf(signal)(end)
  return async () => {
    ended.abort()
    stopFollowing()
    if (child.pid === undefined) return
    processes.signal('SIGKILL')
    await inTime(closed, graceTime, () => {})
    // A process that left the group may still hold them.
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
}
