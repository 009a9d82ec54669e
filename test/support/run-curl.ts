import { spawnSync } from 'node:child_process'
import { exec } from './exec.ts'

/** Whether the machine has curl. */
export const hasCurl: boolean = spawnSync('curl', ['--version']).error === undefined

/** Runs a curl command as a shell does. @returns the parsed body; an error status throws */
export async function runCurl(line: string | null): Promise<unknown> {
  const { stdout } = await exec('sh', ['-c', `${line} -sS --fail`])
  return JSON.parse(stdout)
}
