import { expect } from 'vitest'
import { type RunningCommand, startCommand } from './command.ts'
import { outputOf, startProcess, waitForExit } from './process.ts'

/** `npx understudy-api record`, until the test ends. */
export interface Recording extends Pick<RunningCommand, 'printed' | 'stop'> {
  /** The URL of the proxy */
  readonly url: string
}

/** Records on a free port, in this process. */
export async function startRecord(target: string, ...args: string[]): Promise<Recording> {
  const { printed, stop } = startCommand(recordArguments(target, args))
  return { url: await waitUntilRecording(printed), printed, stop }
}

/** Records on a free port, in a process of its own. */
export async function startRecordProcess(target: string, ...args: string[]): Promise<Recording> {
  const child = startProcess(recordArguments(target, args))
  const end = waitForExit(child)
  const stop = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return end
  }
  const printed = () => outputOf(child)
  return { url: await waitUntilRecording(printed), printed, stop }
}

function recordArguments(target: string, args: readonly string[]): string[] {
  return ['record', '--target', target, '--port', '0', ...args]
}

async function waitUntilRecording(printed: RunningCommand['printed']): Promise<string> {
  const text = (): string => Object.values(printed()).join('')
  await expect.poll(text).toMatch(/at http:\S+[\s\S]*Ctrl-C/)
  return /at (http:\S+)/.exec(text())?.[1] as string
}
