import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import { Client } from '../lanes/client.ts'
import { type RunningCommand, startCommand, type Variables } from './command.ts'
import { outputOf, startProcess, waitForExit } from './process.ts'

/** A client of `npx understudy-api serve`, and the command itself. */
export interface Serving extends Client, Omit<RunningCommand, 'end' | 'restoreEnvironment'> {
  readonly url: string
}

/** Serves in this process, on a free port unless a flag names one. */
export async function startServe(
  args: readonly string[] = [],
  variables: Variables = {},
): Promise<Serving> {
  const port = isSilent(args, variables) ? String(await freePort()) : '0'
  const command = startCommand(args, { UNDERSTUDY_PORT: port, ...variables })
  const url = await waitUntilServing(command, port)
  command.restoreEnvironment()
  return Object.assign(new Client(url), { url, printed: command.printed, stop: command.stop })
}

/** Serves from a process of its own. */
export async function startServeProcess(
  args: readonly string[] = [],
  variables: Variables = {},
  file?: string,
): Promise<Serving> {
  const port = isSilent(args, variables) ? String(await freePort()) : '0'
  const child = startProcess(args, { UNDERSTUDY_PORT: port, ...variables }, file)
  const end = waitForExit(child)
  const printed = () => outputOf(child)
  const url = await waitUntilServing({ printed, end }, port)
  const stop = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return end
  }
  return Object.assign(new Client(url), { url, printed, stop })
}

/** Whether the command prints no URL. */
function isSilent(args: readonly string[], variables: Variables): boolean {
  const isQuiet = args.includes('--quiet') || Boolean(variables.UNDERSTUDY_QUIET)
  return isQuiet && !args.includes('--port')
}

/** Waits for the URL on stdout, or for a server on a port other than 0. */
async function waitUntilServing(
  { printed, end }: Pick<RunningCommand, 'printed' | 'end'>,
  port: string,
): Promise<string> {
  let hasEnded = false
  void end.then(() => (hasEnded = true))
  const quietUrl = `http://127.0.0.1:${port}`
  while (!hasEnded) {
    const { stdout } = printed()
    const [url] = /https?:\/\/[\w.:[\]]+\d/.exec(stdout) ?? []
    if (url !== undefined && stdout.endsWith('\n')) return url
    if (port !== '0' && (await isServing(quietUrl))) return quietUrl
    await pause(2)
  }
  throw new Error(`Failed to serve: ${(await end).stderr}`)
}

async function isServing(url: string): Promise<boolean> {
  return fetch(`${url}/__admin/health`).then(
    () => true,
    () => false,
  )
}
