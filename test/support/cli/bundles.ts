import { readFileSync } from 'node:fs'
import process from 'node:process'
import type { ReplayResult, RequestStep, Scenario } from '../../../src/index.ts'
import { temporaryFolder } from '../files.ts'
import { run } from './command.ts'

/** A command that runs a program of Node, which asks with `ask` and steers with `steer`. It writes what it was answered. */
export function nodeClient(program: string, out = '/dev/null'): string[] {
  const beginning = `
    const { writeFileSync } = await import('node:fs')
    const env = process.env
    const list = '/api/projects/1/annotations/'
    const answers = []
    const ask = async (method, path, body, headers = {}) => {
      const own = { authorization: 'Bearer ' + env.UNDERSTUDY_KEY, 'content-type': 'application/json', ...headers }
      try {
        const answer = await fetch(env.UNDERSTUDY_URL + path, { method, headers: own, ...(body && { body }) })
        answers.push([answer.status, (await answer.text()).replaceAll(env.UNDERSTUDY_URL, 'http://localhost')])
      } catch { answers.push([0, '']) }
      writeFileSync(${JSON.stringify(out)}, JSON.stringify(answers))
    }
    const steer = async (method, path, body) => {
      const headers = { 'content-type': 'application/json' }
      const done = await fetch(env.UNDERSTUDY_ADMIN_URL + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      if (!done.ok) throw new Error(path + ': ' + await done.text())
      return done.status === 204 ? null : done.json()
    }`
  return ['--', process.execPath, '--input-type=module', '-e', `${beginning}\n${program}`]
}

/** Where a bundle may be written. */
export const bundlePath = (): string => `${temporaryFolder()}/run.json`
/** A bundle that was written. */
export const readBundle = (path: string): Scenario => JSON.parse(readFileSync(path, 'utf8'))
/** The steps of a bundle that ask something. */
export const requestSteps = (path: string): RequestStep[] =>
  readBundle(path).steps.filter((step): step is RequestStep => 'method' in step)

/** What a replay in a process of its own was answered, as it came. */
export async function replayBundle(
  path: string,
): Promise<{ code: number | null; answers: unknown[] }> {
  const { code, stdout } = await run(['replay', path, '--report', 'json'])
  const [{ result }] = JSON.parse(stdout) as [{ result: ReplayResult }]
  const asked = result.steps.filter(({ request }) => request !== null)
  return { code, answers: asked.map(({ answer }) => [answer?.status, answer?.text]) }
}
