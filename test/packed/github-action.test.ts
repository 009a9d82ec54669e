import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { exec } from '../support/exec.ts'
import { tarball } from '../support/packed/consumers.ts'
import { root } from '../support/root.ts'

const action = parse(readFileSync(`${root}.github/actions/serve/action.yml`, 'utf8'))
const [{ run, env }] = action.runs.steps

/** Runs the script of the action as a runner does. Returns its outputs, and stops its server after the test. */
async function runAction(args: string): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-action-'))
  const inputs = { PACKAGE: tarball, PORT: '0', ARGUMENTS: args }
  const runner = { RUNNER_TEMP: folder, GITHUB_OUTPUT: join(folder, 'outputs') }
  const endJob = 'kill -- "-$(cat group)" 2> /dev/null || true'
  onTestFinished(() => void exec('bash', ['-c', endJob], { cwd: folder }))
  // A process group of its own, which ends as a job does: with everything that it started.
  const script = `echo $$ > "$RUNNER_TEMP/group"\n${run}`
  await exec('setsid', ['bash', '-eo', 'pipefail', '-c', script], {
    env: { ...process.env, ...inputs, ...runner },
  })
  const lines = readFileSync(runner.GITHUB_OUTPUT, 'utf8').trim().split('\n')
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)))
}

test('the action passes its inputs to its script', () => {
  const names = Object.keys(action.inputs)
  const expressions = names.map((name) => [name.toUpperCase(), `\${{ inputs.${name} }}`])

  expect(env).toEqual(Object.fromEntries(expressions))
})

test('the action serves the API and outputs its URL and a key', async () => {
  const { url, key } = await runAction('--world odd --quiet')

  const response = await fetch(`${url}/api/projects/`, {
    headers: { authorization: `Bearer ${key}` },
  })

  expect(response.status).toBe(200)
})

test('the action fails with the error of the command', async () => {
  await expect(runAction('--world nothing.json')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('World nothing.json not found'),
  })
})
