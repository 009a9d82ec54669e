import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { exec } from '../support/exec.ts'
import {
  type Consumer,
  consumerPath,
  consumers,
  installConsumer,
} from '../support/packed/consumers.ts'

// The tests that `import` writes compile in the project of a user.
const consumer: Consumer = { ...consumers[0], name: 'imported-tests', of: 'none' }
const cwd = consumerPath(consumer)
const steps = [{ method: 'GET', path: '/api/projects/1/annotations/99/' }]
const clock = '2024-06-15T12:00:00Z'
const rows = { projects: [] }
const scenarios = {
  'named.json': { world: 'default', profile: 'live', seed: 3, clock },
  'read.json': { world: 'odd', settings: { 'annotations.delete.status': '403' } },
  'rows.json': { world: rows, clock },
  'plain.json': {},
}

beforeAll(async () => {
  await installConsumer(consumer)
  for (const [name, setup] of Object.entries(scenarios)) {
    writeFileSync(join(cwd, name), JSON.stringify({ title: 'An incident', ...setup, steps }))
    for (const runner of ['vitest', 'playwright']) {
      await exec('npx', ['understudy-api', 'import', name, '--as', runner, '--force'], { cwd })
    }
  }
})

test.each(['typescript', 'typescript-7'])(
  'the tests that import writes compile with %s',
  async (compiler) => {
    const tsc = join(cwd, 'node_modules', compiler, 'bin', 'tsc')
    const flags = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']
    const target = ['--module', 'nodenext', '--target', 'es2023', '--types', 'node', '--noEmit']
    const files = Object.keys(scenarios).flatMap((name) =>
      ['test.ts', 'spec.ts'].map((extension) => name.replace('json', extension)),
    )

    const compiled = await exec(
      process.execPath,
      [tsc, ...flags, '--skipLibCheck', ...target, ...files],
      { cwd },
    ).catch((error: { stdout: string }) => error)

    expect(compiled.stdout).toBe('')
  },
)
