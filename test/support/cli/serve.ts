import { setTimeout as pause } from 'node:timers/promises'
import { Client } from '../transports/client.ts'
import { type RunningCommand, startCommand, type Variables } from './command.ts'
import { runningProcess, startProcess } from './process.ts'

/** A client of `npx understudy-api serve`, and the command itself. */
export interface Serving extends Client, Omit<RunningCommand, 'end' | 'restoreEnvironment'> {
  readonly url: string
}

/** Serves in this process, on a free port unless a flag names one. */
export async function startServe(
  args: readonly string[] = [],
  variables: Variables = {},
): Promise<Serving> {
  const command = startCommand(args, { UNDERSTUDY_PORT: '0', ...variables })
  const url = await waitUntilServing(command)
  command.restoreEnvironment()
  return clientOf(command, url)
}

/** Serves from a process of its own. */
export async function startServeProcess(
  args: readonly string[] = [],
  variables: Variables = {},
  file?: string,
): Promise<Serving> {
  const command = runningProcess(startProcess(args, { UNDERSTUDY_PORT: '0', ...variables }, file))
  return clientOf(command, await waitUntilServing(command))
}

const clientOf = ({ printed, stop }: Pick<RunningCommand, 'printed' | 'stop'>, url: string) =>
  Object.assign(new Client(url), { url, printed, stop })

/** Waits for the URL on stdout. */
async function waitUntilServing({
  printed,
  end,
}: Pick<RunningCommand, 'printed' | 'end'>): Promise<string> {
  let hasEnded = false
  void end.then(() => (hasEnded = true))
  while (!hasEnded) {
    const { stdout } = printed()
    const [url] = /https?:\/\/[\w.:[\]]+\d/.exec(stdout) ?? []
    if (url !== undefined && stdout.endsWith('\n')) return url
    await pause(2)
  }
  throw new Error(`Failed to serve: ${(await end).stderr}`)
}
