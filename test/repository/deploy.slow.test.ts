import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { exec } from '../support/exec.ts'
import { deployFolder, manifests } from '../support/repository/deployment.ts'

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0

test.skipIf(!hasKubectl)('kubectl builds the manifests, and refuses without a token', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-deploy-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(deployFolder, folder, {
    recursive: true,
    filter: (path) => !path.endsWith('token.env'),
  })
  const build = () => exec('kubectl', ['kustomize', folder])

  await expect(build()).rejects.toMatchObject({ stderr: expect.stringContaining('token.env') })
  writeFileSync(join(folder, 'token.env'), 'UNDERSTUDY_TOKEN=a-token\n')
  const { stdout } = await build()

  const kinds = parseAllDocuments(stdout).map((document) => document.toJS().kind)
  expect(kinds).toHaveLength(manifests.length + 2)
  expect(kinds).toEqual(expect.arrayContaining(['ConfigMap', 'Secret']))
  expect(stdout).toMatch(/configMap:\n\s+name: understudy-proxy-\w+\n/)
  expect(stdout).toMatch(/key: UNDERSTUDY_TOKEN\n\s+name: understudy-token-\w+\n/)
  expect(stdout).toContain(`image: ${packageJson.name}:${packageJson.version}\n`)
})
