import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'

export const root: string = fileURLToPath(new URL('../../../', import.meta.url))
export const bin = `${root}dist/understudy.js`
if (!existsSync(bin))
  execFileSync(process.execPath, [`${root}.tools/build.mjs`], { stdio: 'ignore' })

type Variables = Readonly<Record<string, string>>

/** How a command ended. */
export interface CommandResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A server of the command line, at work until the test ends. */
export interface ServeProcess {
  readonly url: string
  /** What it printed so far. */
  printed(): { stdout: string; stderr: string }
  /** Sends a signal, and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<CommandResult>
}

/** Runs a command to its end. */
export function run(args: readonly string[], variables: Variables = {}): Promise<CommandResult> {
  return waitForExit(startCommand(args, variables))
}

/** Serves on a free port, or where `--port` says. It is asked until it answers, since `--quiet` prints nothing. */
export async function startServe(
  args: readonly string[] = [],
  variables: Variables = {},
  file: string = bin,
): Promise<ServeProcess> {
  const port = await freePort()
  const child = startCommand(args, { UNDERSTUDY_PORT: String(port), ...variables }, file)
  const end = waitForExit(child)
  const urlOf = () =>
    args.includes('--port')
      ? /http:\/\/[\w.:[\]]+\d/.exec(outputOf(child).stdout)?.[0]
      : `http://127.0.0.1:${port}`
  const isUp = await Promise.race([end.then(() => false), answers(urlOf)])
  if (!isUp) throw new Error(`Failed to serve: ${(await end).stderr}`)
  // It prints when it listens: what it prints is there a moment later.
  for (let waited = 0; waited < 30 && !outputOf(child).stdout.endsWith('\n'); waited += 2)
    await new Promise((resolve) => setTimeout(resolve, 2))
  return {
    url: urlOf() ?? '',
    printed: () => outputOf(child),
    async stop(signal) {
      child.kill(signal)
      return end
    },
  }
}

/** One that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The environment without what decides what a command prints. */
export function cleanEnvironment(): Record<string, string | undefined> {
  const deciding = /^(UNDERSTUDY_|FORCE_COLOR$|NO_COLOR$|CI$|(HTTP|ALL|NO)_PROXY$)/i
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !deciding.test(name)))
}

const outputs = new WeakMap<ChildProcess, { stdout: string; stderr: string }>()
/** What a command printed so far. */
export const outputOf = (child: ChildProcess): { stdout: string; stderr: string } =>
  outputs.get(child) ?? { stdout: '', stderr: '' }

/** Starts a command, which ends with the test if not before. */
export function startCommand(
  args: readonly string[],
  variables: Variables = {},
  file: string = bin,
): ChildProcess {
  const env = { ...cleanEnvironment(), ...variables }
  return captureOutput(
    spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] }),
  )
}

/** Keeps what a command prints, and ends it with the test if not before. */
export function captureOutput(child: ChildProcess): ChildProcess {
  const output = { stdout: '', stderr: '' }
  outputs.set(child, output)
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text) => {
      output[name] += text
    })
  }
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** However a command ends, it shows no stack. */
export async function waitForExit(child: ChildProcess): Promise<CommandResult> {
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const output = outputOf(child)
  expect(output.stdout + output.stderr).not.toMatch(/^\s+at .*[:(]/m)
  return { code, ...output }
}

async function answers(urlOf: () => string | undefined): Promise<boolean> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    try {
      await fetch(`${urlOf() ?? 'http://nowhere.invalid'}/__admin/health`)
      return true
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  return false
}

/** The lines of a request log without the times that differ from run to run. */
export function withoutTimes(log: string): string {
  return log.replace(/^\d\d:\d\d:\d\d /gm, '').replace(/ [\d.]+ ms/g, '')
}
