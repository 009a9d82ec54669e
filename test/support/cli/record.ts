import { type CommandResult, outputOf, startCommand, waitForExit } from './command.ts'
import { waitUntil } from './proxy.ts'

/** A recorder of the command line, at work until the test ends. */
export interface RecordProcess {
  /** Of its proxy */
  readonly url: string
  /** Sends a signal, and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<CommandResult>
}

/** Records on a free port. */
export async function startRecord(target: string, ...args: string[]): Promise<RecordProcess> {
  const child = startCommand(['record', '--target', target, '--port', '0', ...args])
  const end = waitForExit(child)
  await waitUntil(() => (outputOf(child).stdout + outputOf(child).stderr).includes('Ctrl-C'))
  const url = /at (http:\S+)/.exec(outputOf(child).stdout + outputOf(child).stderr)?.[1]
  if (url === undefined) throw new Error(`Failed to record: ${outputOf(child).stderr}`)
  return {
    url,
    async stop(signal) {
      child.kill(signal)
      return end
    },
  }
}
