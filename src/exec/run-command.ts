import type { SpawnOptions } from 'node:child_process'
import { constants } from 'node:os'
import process from 'node:process'
import spawn from 'cross-spawn'
import { type ListenOptions, listen } from '../server/listen.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { ProcessTree } from './process-tree.ts'

/** A command and its arguments. They are not parsed by a shell. */
export type CommandLine = readonly [command: string, ...args: string[]]

export const servedValues = ['url', 'key', 'port', 'project_id', 'organization_id'] as const

export type ServedValue = (typeof servedValues)[number]

export interface ServedCommand {
  readonly simulator: Simulator
  readonly options: ListenOptions
  readonly token?: string | undefined
  /** What further variables of the command are, by their names */
  readonly env: Readonly<Record<string, ServedValue>>
  readonly variables?: Readonly<Record<string, string>>
}

/**
 * Serves a simulator while a function runs.
 *
 * @param run gets the environment of the command, and the URL
 */
export async function serveWhile<T>(
  { simulator, options, token, env, variables: more }: ServedCommand,
  run: (env: NodeJS.ProcessEnv, url: string) => Promise<T>,
): Promise<T> {
  const server = await listen(simulator, options)
  try {
    const { url } = server
    const values = { ...simulator.defaults, url, port: new URL(url).port }
    const own = Object.entries(env).map(([name, value]) => [name, String(values[value])])
    const variables = {
      ...process.env,
      ...more,
      UNDERSTUDY_URL: url,
      UNDERSTUDY_KEY: values.key,
      UNDERSTUDY_PROJECT_ID: String(values.project_id),
      UNDERSTUDY_ORGANIZATION_ID: values.organization_id,
      UNDERSTUDY_ADMIN_URL: `${url}/__admin`,
      ...(token !== undefined && { UNDERSTUDY_TOKEN: token }),
      ...Object.fromEntries(own),
    }
    return await run(variables, url)
  } finally {
    await server.close()
  }
}

/**
 * Runs a command. On Windows it is found as a shell finds it: `npm` is `npm.cmd`.
 *
 * @param options as of `spawn`. On Windows no command is detached, because it would get a window of its own
 * @param watch is called when the command has started. It returns a function that is awaited when the command has ended
 * @param onError is called with the reason if the command cannot be started
 * @returns the exit code; 128 plus the number of a signal; 127 for an unknown command; 126 for one without permission
 */
export async function runChild(
  [command, ...args]: CommandLine,
  options: SpawnOptions,
  watch: (processes: ProcessTree) => () => void | Promise<void>,
  onError: (message: string) => void,
): Promise<number> {
  const detached = options.detached === true && process.platform !== 'win32'
  const child = spawn(command, args, { ...options, detached })
  const stop = watch(new ProcessTree(child, detached))
  try {
    return await new Promise<number>((resolve, reject) => {
      child.on('error', (error: NodeJS.ErrnoException) => {
        // While the child runs, an error means that a signal could not be sent. On Windows, a shell that was started for
        // the command can be the one that does not find it.
        if (child.pid === undefined || error.code === 'ENOENT') reject(error)
      })
      child.once('exit', (code, signal) => {
        resolve(code ?? 128 + constants.signals[signal as NodeJS.Signals])
      })
    })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    onError(spawnErrorMessage(command, code))
    return code === 'EACCES' ? 126 : 127
  } finally {
    await stop()
  }
}

function spawnErrorMessage(command: string, code = '') {
  if (code === 'EACCES') return `Cannot run ${command}: permission denied.`
  if (code !== 'ENOENT') return `Cannot run ${command} (${code}).`
  return `Command not found: ${command}. It is started without a shell: for what a shell reads, write sh -c, and the text after it.`
}
