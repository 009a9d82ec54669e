import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { exec } from '../support/exec.ts'
import { tarball } from '../support/packed/consumers.ts'

const folder = inject('consumers')
const project = join(folder, 'production')

beforeAll(async () => {
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"private":true}')
  const flags = ['--omit=dev', '--omit=peer', '--ignore-scripts', '--prefer-offline', '--no-audit']
  await exec('npm', ['install', tarball, ...flags], { cwd: project })
})

test('without its peer dependencies, as in a container, the bin serves and generates rows', async () => {
  const bin = join(project, 'node_modules', packageJson.name, packageJson.bin['understudy-api'])
  const child = spawn(process.execPath, [bin, '--port', '0', '--json'], { cwd: project })
  onTestFinished(() => void child.kill('SIGKILL'))
  const printed = await new Promise<Buffer>((resolve) => child.stdout.once('data', resolve))

  const response = await fetch(`${JSON.parse(String(printed)).url}/__admin/world`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"generate":{"annotations":2}}',
  })

  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ annotations: 2 })
})
