import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { acme } from '../support/api/paths.ts'
import { root, run } from '../support/cli/command.ts'
import { startRecord } from '../support/cli/record.ts'
import { startServe } from '../support/cli/serve.ts'
import { exec } from '../support/exec.ts'
import { temporaryFolder } from '../support/files.ts'
import {
  type Consumer,
  consumerPath,
  consumers,
  installConsumer,
} from '../support/packed/consumers.ts'

// The requests of a generated client are recorded and replayed.
const consumer: Consumer = { ...consumers[0], name: 'typed-client', of: 'none' }
const cwd = consumerPath(consumer)

/** Generates the types of the client, and compiles it. */
async function makeClient(): Promise<void> {
  await installConsumer(consumer)
  copyFileSync(join(root, 'src/api/openapi.json'), join(cwd, 'service.json'))
  const client = join(root, 'test/consumers/generated-clients/typed-client.ts')
  copyFileSync(client, join(cwd, 'typed-client.ts'))
  const modules = consumerPath(consumer, 'node_modules')
  const generator = join(modules, 'openapi-typescript', 'bin', 'cli.js')
  await exec(process.execPath, [generator, 'service.json', '-o', 'service.d.ts'], { cwd })
  const tsc = join(modules, 'typescript', 'bin', 'tsc')
  const flags = ['--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext']
  const types = ['--types', 'node', '--lib', 'es2023,dom,dom.iterable']
  const compiled = exec(process.execPath, [tsc, ...flags, ...types, 'typed-client.ts'], { cwd })
  await compiled.catch(({ stdout }) => expect(stdout).toBe(''))
}

test('a recorded run of a generated client passes in its profile, and the other profile names the settings that differ', async () => {
  await makeClient()
  const out = join(temporaryFolder(), 'story.json')
  const { url: target } = await startServe(['--profile', 'documented'])
  const { url, stop } = await startRecord(target, '--out', out)

  const client = await exec(process.execPath, ['typed-client.js', url, 'phx_all', acme], { cwd })
  const { stderr } = await stop('SIGINT')

  // A line for each request, and one about what is made up.
  expect([client.stdout, stderr.match(/\n/g)?.length]).toEqual(['200 201 201\n', 9])
  expect(stderr).toMatch(/^The list of project 1 counted 5 rows that no complete response shows/m)
  const { steps } = JSON.parse(readFileSync(out, 'utf8'))
  expect(
    steps.map(({ method, path }: { method: string; path: string }) => `${method} ${path}`),
  ).toEqual([
    'GET /api/projects',
    'POST /api/projects/1/annotations',
    'GET /api/projects/1/annotations?limit=2',
    'PATCH /api/projects/1/annotations/9',
    'DELETE /api/projects/1/annotations/9',
    `POST /api/organizations/${acme}/plugins`,
    `GET /api/organizations/${acme}/plugins/25/check_for_updates`,
    `DELETE /api/organizations/${acme}/plugins/25`,
  ])
  const same = await run(['replay', out])
  expect(same.stdout).toContain('8 of 8 steps passed.')
  const other = await run(['replay', out, '--profile', 'live', '--json'])
  expect(other.code).toBe(1)
  const [{ result }] = JSON.parse(other.stdout)
  const failed = result.steps.filter(({ outcome }: { outcome: string }) => outcome === 'failed')
  expect(failed.map(({ step }: { step: number }) => step)).toEqual([5, 7])
  expect(failed[0].decided_by.map(({ id }: { id: string }) => id)).toContain(
    'annotations.delete.status',
  )
  expect(failed[1].settings).toContain('plugins.other.scope')
})
