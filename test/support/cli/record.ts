import { expect } from 'vitest'
import { type RunningCommand, startCommand } from './command.ts'
import { runningProcess, startProcess } from './process.ts'

/** `npx understudy-api record`, until the test ends. */
interface Recording extends Pick<RunningCommand, 'printed' | 'stop'> {
  /** The URL of the proxy */
  readonly url: string
}

/** Records on a free port, in this process. */
export function startRecord(target: string, ...args: string[]): Promise<Recording> {
  return waitUntilRecording(startCommand(recordArguments(target, args)))
}

/** Records on a free port, in a process of its own. */
export function startRecordProcess(target: string, ...args: string[]): Promise<Recording> {
  return waitUntilRecording(runningProcess(startProcess(recordArguments(target, args))))
}

function recordArguments(target: string, args: readonly string[]): string[] {
  return ['record', '--target', target, '--port', '0', ...args]
}

async function waitUntilRecording({ printed, stop }: Omit<Recording, 'url'>): Promise<Recording> {
  const text = (): string => Object.values(printed()).join('')
  await expect.poll(text).toMatch(/at http:\S+[\s\S]*Ctrl-C|^http:\S+\n/)
  return { url: /(?:at |^)(http:\S+)/.exec(text())?.[1] as string, printed, stop }
}
