import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { exec } from '../support/exec.ts'
import { manifests } from '../support/repository/deployment.ts'
import { root } from '../support/root.ts'

// The schemas of Kubernetes as a package, which is too large to be installed with each clone.
const folder = join(inject('consumers'), 'kubernetes')

interface Model {
  validate(): void
}

/** The module of a kind in the package: core kinds have no group. */
const moduleOf = (apiVersion: string) => `kubernetes-models/${apiVersion}`

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const args = ['install', '--prefer-offline', '--ignore-scripts', 'kubernetes-models@4.5.1']
  await exec('npm', args, { cwd: folder })
})

test.each(manifests)('the manifest of $kind $metadata.name matches its schema', (manifest) => {
  const load = createRequire(join(folder, 'package.json'))
  const { [manifest.kind]: Kind } = load(moduleOf(manifest.apiVersion)) as Record<
    string,
    new (
      value: object,
    ) => Model
  >

  expect(Kind).toBeDefined()
  if (Kind) expect(() => new Kind(manifest).validate()).not.toThrow()
})

test('the manifests have no fields that Kubernetes does not know', async () => {
  const lines = manifests.flatMap((manifest, index) => [
    `import type { I${manifest.kind} as Kind${index} } from '${moduleOf(manifest.apiVersion)}'`,
    `export const manifest${index}: Kind${index} = ${JSON.stringify(manifest)}`,
  ])
  writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'))
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', '']

  const { stdout } = await exec(process.execPath, [tsc, ...flags, 'manifests.ts'], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error)

  expect(stdout).toBe('')
})
