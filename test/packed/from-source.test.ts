import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test, vi } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { root } from '../support/cli/command.ts'
import { exec } from '../support/exec.ts'
import { temporaryFolder } from '../support/files.ts'
import { mswVersions } from '../support/packed/consumers.ts'
import { copySources, createRepository } from '../support/packed/source-copy.ts'

const script = `
  import { createSimulator } from 'understudy-api'
  const simulator = createSimulator()
  const headers = { authorization: 'Bearer ' + simulator.defaults.key }
  const page = await (await simulator.fetch('/api/projects/1/annotations/', { headers })).json()
  console.log(page.count)
`

test('a project that installs the package from a git repository has the library and the bin', async () => {
  const folder = join(inject('consumers'), 'from-git')
  const [repository, project] = [join(folder, 'repository'), join(folder, 'project')]
  mkdirSync(project, { recursive: true })
  await createRepository(repository)
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}')

  const packages = [`git+file://${repository}`, `msw@${mswVersions.two}`]
  const flags = ['--prefer-offline', '--no-audit', '--no-fund']
  await exec('npm', ['install', ...packages, ...flags], { cwd: project })
  const request = await exec('node', ['--input-type=module', '--eval', script], { cwd: project })
  const bin = join(project, 'node_modules', '.bin', 'understudy')
  const wrapped =
    'fetch(process.env.UNDERSTUDY_URL + "/").then(({ status }) => console.log(status))'
  const version = await exec(bin, ['--version'], { cwd: project })
  const command = await exec(bin, ['exec', '--', 'node', '--eval', wrapped], { cwd: project })

  expect(request.stdout.trim()).toBe('6')
  expect(version.stdout.trim()).toBe(packageJson.version)
  expect(command.stdout).toContain('200')
})

test('npm ci --omit=dev builds nothing in a clone, and does not fail', async () => {
  const folder = temporaryFolder()
  await copySources(folder)

  await exec('node', [join('.tools', 'setup.mjs'), '--prepare'], { cwd: folder })

  expect(existsSync(join(folder, 'dist'))).toBe(false)
})

test('npm pack leaves the script `prepare` out of package.json, and restores it', async () => {
  const folder = temporaryFolder()
  await copySources(folder)
  mkdirSync(join(folder, 'node_modules'))
  const read = () => readFileSync(join(folder, 'package.json'), 'utf8')
  const before = read()
  const { prepare: _, ...scripts } = packageJson.scripts
  // Without the build, which comes first in `prepack`.
  const [prepack = '', postpack] = [scripts.prepack.split('&&').at(-1), scripts.postpack]

  await exec('sh', ['-c', prepack], { cwd: folder })
  const packed = JSON.parse(read())
  await exec('sh', ['-c', postpack], { cwd: folder })

  expect(packed).toEqual({ ...packageJson, scripts })
  expect(read()).toBe(before)
})

test('a build that was interrupted is repeated by the next command', async () => {
  const folder = temporaryFolder()
  await copyWithPackages(folder)
  const dashboard = join(folder, 'dist', 'dashboard', 'index.html')
  const build = spawn('node', [join('.tools', 'build.mjs')], { cwd: folder })
  const bin = join(folder, 'dist', 'understudy.js')
  await vi.waitUntil(() => existsSync(bin), { timeout: 60_000, interval: 5 })
  build.kill('SIGKILL')
  await once(build, 'exit')
  const interrupted = existsSync(dashboard)

  await exec('node', [join('.tools', 'setup.mjs'), '--build'], { cwd: folder })

  expect([interrupted, existsSync(dashboard)]).toEqual([false, true])
})

test('two builds in different folders have the same bytes', async () => {
  const [first, second] = [
    temporaryFolder(),
    join(temporaryFolder(), 'a folder', 'with a longer path'),
  ]

  const packages = await Promise.all([first, second].map(buildCopy))

  expect(packages[1]).toEqual(packages[0])
  expect(packages[0]?.files.length).toBeGreaterThan(300)
})

/** Builds a copy of the sources. @returns the files of the package, and the checksum of the tarball */
async function buildCopy(folder: string): Promise<{ integrity: string; files: readonly object[] }> {
  await copyWithPackages(folder)
  await exec('node', [join('.tools', 'build.mjs')], { cwd: folder })
  const { stdout } = await exec('npm', ['pack', '--json', '--ignore-scripts'], { cwd: folder })
  const [{ integrity, files }] = JSON.parse(stdout)
  return { integrity, files }
}

/** With packages of its own: of a link, the bundler would see the path of the target. */
async function copyWithPackages(folder: string): Promise<void> {
  await copySources(folder)
  await exec('cp', ['-al', join(root, 'node_modules'), join(folder, 'node_modules')])
}
