import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { exec } from '../support/exec.ts'
import {
  type Consumer,
  consumerPath,
  forThree,
  installConsumer,
  mswVersions,
  nodeOf,
} from '../support/packed/consumers.ts'
import { root } from '../support/root.ts'

// The examples of test/integrations/vitest, which this repository runs with Vitest 4.1.
const five: Consumer = {
  ...forThree,
  name: 'vitest-5',
  of: 'none',
  msw: mswVersions.three,
  also: [...forThree.also, 'vitest@5'],
}

beforeAll(() => installConsumer(five))

/** The reporter, as a file of this repository */
const reporterPath = /fileURLToPath\(\s*new URL\('[^']*vitest\/reporter.ts'[^)]*\),?\s*\)/

/** Runs the examples of a folder with Vitest 5, as if they belonged to the project. */
async function runExamples(name: string, variables: object, ...args: readonly string[]) {
  const folder = consumerPath(five, name)
  const examples = join(root, 'test', 'integrations', 'vitest')
  mkdirSync(folder)
  const files = readdirSync(join(examples, name)).filter((file) => file.endsWith('.ts'))
  for (const file of ['../examples.config.ts', ...files]) {
    const text = readFileSync(join(examples, name, file), 'utf8')
      .replaceAll("'../../../../src/vitest.ts'", "'understudy-api/vitest'")
      .replaceAll("'../../../../src/index.ts'", "'understudy-api'")
      .replace(reporterPath, "'understudy-api/vitest/reporter'")
    writeFileSync(join(folder, file.replace('../examples', 'vitest')), text)
  }
  const node = nodeOf(five)
  const vitest = consumerPath(five, 'node_modules', 'vitest', 'vitest.mjs')
  const own = Object.entries(process.env).filter(([key]) => !/^(VITEST|npm_)/.test(key))
  const PATH = `${dirname(node)}:${process.env.PATH}`
  const env = { ...Object.fromEntries(own), PATH, NO_COLOR: '1', CI: '', ...variables }
  const options = { cwd: folder, env }
  return exec(node, [vitest, 'run', ...args], options).catch(
    (failed: { readonly stdout: string; readonly stderr: string }) => failed,
  )
}

test('Vitest 5 runs the fixtures, and prints the latest requests of tests that fail', async () => {
  const { stdout, stderr } = await runExamples('failing', {})

  expect(stdout).toMatch(/RUN +v5\./)
  expect(stdout).toContain('3 failed | 3 passed | 1 expected fail (7)')
  expect(stderr).toContain('  200 GET /api/projects/1/annotations/?limit=1, key "all"\n')
  expect(stderr).toContain('found 0 in 0 requests.\n')
})

test('the reporter merges what the tests of all workers used, with Vitest 5', async () => {
  const { stdout } = await runExamples('reporting', { REPORT: 'run.json' }, '--retry=1')

  expect(stdout).toContain(` Requests: 7.\n`)
})
