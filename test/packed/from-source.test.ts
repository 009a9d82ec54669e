import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, vi } from 'vitest'
import { root } from '../support/cli/command.ts'
import { exec } from '../support/exec.ts'
import { temporaryFolder } from '../support/files.ts'
import { npmInstall } from '../support/packed/install.ts'

test('a build that was interrupted is repeated by the next command', async () => {
  const folder = temporaryFolder()
  await copyWithPackages(folder)
  const dashboard = join(folder, 'dist', 'dashboard', 'index.html')
  const build = spawn('node', [join('.tools', 'build.mjs')], { cwd: folder })
  const bin = join(folder, 'dist', 'understudy.js')
  await vi.waitUntil(() => existsSync(bin), { timeout: 600_000, interval: 5 })
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

// npm installs the packages of a clone and then packs it, but runs no `prepack`.
test('npm installs the package from its Git repository', async () => {
  const repository = temporaryFolder()
  await copySources(repository)
  const git = (...words: string[]) =>
    exec('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words], {
      cwd: repository,
    })
  await git('init', '-q')
  await git('add', '-A')
  await git('commit', '-qm', 'All')
  const project = { cwd: temporaryFolder() }
  writeFileSync(join(project.cwd, 'package.json'), '{"private":true,"type":"module"}')

  const source = pathToFileURL(repository).href
  const output = await npmInstall(project.cwd, [`git+${source}`, 'msw@2'], true)
  const version = await exec('npx', ['understudy-api', '--version'], project)
  const code = "console.log(typeof (await import('understudy-api')).createSimulator)"
  const imported = await exec('node', ['--input-type=module', '--eval', code], project)

  expect(version.stdout).toBe('0.1.0\n')
  expect(imported.stdout).toBe('function\n')
  expect(output).not.toMatch(/understudy-api@/)
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

/** Copies the files of the working tree that git does not ignore. Changes that are not committed are included. */
async function copySources(folder: string): Promise<void> {
  const { stdout } = await exec('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
  })
  const names = stdout.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))
  for (const name of names) cpSync(join(root, name), join(folder, name))
}
