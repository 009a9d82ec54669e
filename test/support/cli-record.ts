import { type Ended, ended, outputOf, start } from './cli.ts'
import { until } from './recording.ts'

/** A recorder of the command line, at work until the test ends. */
export interface RecordingCommand {
  /** Of its proxy */
  readonly url: string
  /** Sends a signal, and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<Ended>
}

/** Records on a free port. */
export async function record(target: string, ...args: string[]): Promise<RecordingCommand> {
  const child = start(['record', '--target', target, '--port', '0', ...args])
  const end = ended(child)
  await until(() => (outputOf(child).stdout + outputOf(child).stderr).includes('Ctrl-C'))
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
