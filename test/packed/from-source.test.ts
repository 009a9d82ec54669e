import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { root } from '../support/cli/command.ts'
import { exec } from '../support/exec.ts'
import { temporaryFolder } from '../support/files.ts'

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

/** Copies the files of the working tree that git does not ignore. Changes that are not committed are included. */
async function copySources(folder: string): Promise<void> {
  const { stdout } = await exec('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
  })
  const names = stdout.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))
  for (const name of names) cpSync(join(root, name), join(folder, name))
}
