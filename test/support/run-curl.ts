import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

/** Whether the machine has curl. */
export const hasCurl: boolean = spawnSync('curl', ['--version']).error === undefined

/** Runs a curl command as a shell does. @returns the parsed body; an error status throws */
export async function runCurl(line: string | null): Promise<unknown> {
  const { stdout } = await promisify(execFile)('sh', ['-c', `${line} -sS --fail`])
  return JSON.parse(stdout)
}
