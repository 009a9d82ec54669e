import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import { createSimulator } from '../../src/simulator.ts'
import { startServe } from '../support/cli/serve.ts'
import { exec } from '../support/exec.ts'
import { consumerPath, consumers, installPackage } from '../support/packed/consumers.ts'

// Clients that two generators create from the document of the package.
const [consumer] = consumers
const cwd = consumerPath(consumer)
const modules = consumerPath(consumer, 'node_modules')
const document = join(modules, 'understudy-api', 'src', 'api', 'openapi.json')
beforeAll(async () => {
  await installPackage([consumer])
})

const generators: readonly { readonly name: string; readonly args: readonly string[] }[] = [
  {
    name: 'openapi-fetch',
    args: [join(modules, 'openapi-typescript', 'bin', 'cli.js'), document, '-o', 'api.d.ts'],
  },
  {
    name: 'hey-api',
    args: [
      join(modules, '@hey-api', 'openapi-ts', 'bin', 'run.js'),
      ...['-i', document, '-o', 'generated'],
    ],
  },
]

/** The operations, in the order of the requests of the scripts. */
const statuses = [
  ...[201, 201, 200, 200, 200, 200, 200, 200, 200],
  ...[200, 200, 200, 200, 204, 200, 200, 200, 405],
]

test.each(generators)('a client of $name completes all 18 operations', async ({ name, args }) => {
  const script = `${name}.ts`
  copyFileSync(consumerPath(consumer, `${script}.txt`), consumerPath(consumer, script))
  await exec(process.execPath, [...args], { cwd })
  const tsc = join(modules, 'typescript', 'bin', 'tsc')
  const flags = ['--strict', '--skipLibCheck', '--noEmit', '--target', 'es2022', '--types', 'node']
  const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler']
  const compiled = await exec(process.execPath, [tsc, ...flags, ...bundler, script], { cwd }).catch(
    (error: { stdout: string }) => error,
  )
  await build({
    entryPoints: [consumerPath(consumer, script)],
    outfile: consumerPath(consumer, `${name}.mjs`),
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  })
  const { url } = await startServe()
  const { key, organization_id, project_id } = createSimulator().defaults

  const inputs = [url, key, organization_id, String(project_id)]
  const { stdout } = await exec(process.execPath, [`${name}.mjs`, ...inputs], { cwd })

  expect(compiled.stdout).toBe('')
  expect(stdout).toBe(`${statuses.join(' ')}\n`)
})
