import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { parseXml, type XmlElement } from '@rgrove/parse-xml'
import { traceClient } from '../../analysis/variants/client-trace.ts'
import type { RunClient } from '../../analysis/variants/sweep.ts'
import { applyVariant } from '../../analysis/variants/variant.ts'
import type { ListenOptions } from '../../server/listen.ts'
import type { Simulator } from '../../simulator.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { wait } from '../../utils/wait.ts'
import type { CommandContext } from '../command-context.ts'
import { type CommandLine, runChild, serveWhile } from '../run-command.ts'

/** How a command is run again and again. */
interface CommandRunnerOptions {
  readonly line: CommandLine
  /** The simulator that each run gets a copy of */
  readonly origin: Simulator
  readonly options: ListenOptions
  readonly intercept: readonly string[]
  readonly token?: string | undefined
  /** The JUnit report that the command writes. Each run gets a file of its own if the command line names it */
  readonly junit?: string | undefined
  /** Milliseconds after which a run is ended and counts as failed, or null for no limit */
  readonly timeout: number | null
  /** Whether to collect the variants of the responses of unchanged runs */
  readonly withVariants: boolean
  readonly addFaults: (target: Simulator) => void
}

/** The characters of output that are kept for reports. */
const keptOutput = 4_000

/** Milliseconds between the request to end and the forced end of a command. */
const graceTime = 2_000

/** Runs a command with a copy of a simulator, and a server of its own, as `exec` does. */
export function createCommandRunner(
  {
    line,
    origin,
    options,
    intercept,
    token,
    junit,
    timeout,
    withVariants,
    addFaults,
  }: CommandRunnerOptions,
  context: CommandContext,
): RunClient {
  return async (variant, attempt) => {
    const simulator = origin.fork()
    const { faults = [], policies = {}, keys = [] } = variant ?? {}
    applyVariant(simulator, { policies, keys })
    const trace = traceClient(simulator, withVariants && variant === null)
    const isFirst = variant === null && attempt === 1
    addFaults(simulator)
    applyVariant(simulator, { faults })
    const folder = junit === undefined ? null : await mkdtemp(join(tmpdir(), 'understudy-sweep-'))
    const file = folder && join(folder, basename(junit as string))
    const ownLine = file === null ? line : inFile(line, junit as string, file)
    const reported = ownLine === line ? junit : (file ?? undefined)
    // The report of an earlier run says nothing about this one.
    if (reported !== undefined) await rm(reported, { force: true })
    const startedAt = performance.now()
    let output = ''
    let isLate = false
    const served = { simulator, options, intercept, token }
    const start = (env: NodeJS.ProcessEnv): Promise<number> => {
      const watch = (child: ChildProcess): (() => Promise<void>) => {
        for (const stream of [child.stdout, child.stderr]) {
          stream?.on('data', (chunk: Buffer) => {
            output = `${output}${chunk}`.slice(-keptOutput)
          })
        }
        return endInTime(child, timeout, context.signal, () => {
          isLate = true
        })
      }
      const spawnOptions = { stdio: ['ignore', 'pipe', 'pipe'] as ('ignore' | 'pipe')[], env }
      // A process group of its own, so that all processes of the command can be ended.
      const isGroup = process.platform !== 'win32'
      return runChild(ownLine, { ...spawnOptions, detached: isGroup }, watch, (message) => {
        throw new UsageError(message)
      })
    }
    try {
      const code = await serveWhile(served, context, start)
      const ms = Math.round(performance.now() - startedAt)
      const isWhole = isFirst && !isLate && !context.signal.aborted
      if (isWhole && reported !== undefined && !existsSync(reported)) {
        context.printError(`The command did not write ${junit}.`)
      }
      const failedTests = reported && code !== 0 && !isLate ? await readFailedTests(reported) : null
      const failure = isLate
        ? `the command does not end within ${(timeout ?? 0) / 1000} s`
        : code === 0
          ? null
          : `the command fails${code === 1 ? '' : ` (exit code ${code})`}`
      return { ...trace(), failure, failedTests: code === 0 ? [] : failedTests, ms, output }
    } finally {
      if (folder) await rm(folder, { recursive: true, force: true })
    }
  }
}

/** Replaces the name of the JUnit report in a command line. */
export function inFile(line: CommandLine, junit: string, file: string): CommandLine {
  if (!line.some((word) => word.includes(junit))) return line
  const words: readonly string[] = line.map((word) => word.replaceAll(junit, file))
  return words as CommandLine
}

/**
 * Ends a command that takes too long, and when the sweep is interrupted.
 *
 * @returns a function for the end of the command: it ends the processes that the command left behind
 */
function endInTime(
  child: ChildProcess,
  timeout: number | null,
  signal: AbortSignal,
  onLate: () => void,
): () => Promise<void> {
  const closed = new Promise((resolve) => child.once('close', resolve))
  const stops: (() => void)[] = []
  const waitUntilEnd = (milliseconds: number): Promise<boolean> =>
    wait(milliseconds, (stop) => {
      stops.push(stop)
      return () => {}
    })
  const end = async (): Promise<void> => {
    killAll(child, 'SIGTERM')
    if (await waitUntilEnd(graceTime)) killAll(child, 'SIGKILL')
  }
  if (timeout !== null) {
    void waitUntilEnd(timeout).then((isLate) => {
      if (!isLate) return
      onLate()
      return end()
    })
  }
  signal.addEventListener('abort', end)
  if (signal.aborted) void end()
  return async () => {
    for (const stop of stops.splice(0)) stop()
    signal.removeEventListener('abort', end)
    if (child.pid === undefined) return
    killAll(child, 'SIGKILL')
    await Promise.race([closed, waitUntilEnd(graceTime)])
    for (const stop of stops) stop()
    // A process that left the group may still hold them.
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
}

function killAll({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' })
    return
  }
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has ended already.
  }
}

/** Reads the names of the tests that failed, or null if the file is not a JUnit report. */
async function readFailedTests(file: string): Promise<readonly string[] | null> {
  try {
    const { root } = parseXml(await readFile(file, 'utf8'))
    return root && listFailedTests(root)
  } catch {
    return null
  }
}

function listFailedTests({ name, attributes, children }: XmlElement): string[] {
  const elements = children.filter((child): child is XmlElement => child.type === 'element')
  if (name !== 'testcase') return elements.flatMap(listFailedTests)
  const hasFailed = elements.some((element) => /^(failure|error)$/.test(element.name))
  const names = [attributes.classname, attributes.name].filter(Boolean)
  return hasFailed ? [names.join(' > ')] : []
}
