// Another Node from the registry. The packages of npm hold its binaries.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Installs the latest Node of a version, such as `24`, once. @returns the path of its binary */
export function installNode(version) {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const cache = new URL(`../../node_modules/.cache/understudy-node-${version}/`, import.meta.url)
  const folder = fileURLToPath(cache)
  const bin = join(folder, 'node_modules', 'node', 'bin', 'node')
  if (existsSync(bin)) return bin
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const spec = `node@npm:node-${platform}-${process.arch}@${version}`
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', ['install', spec, ...flags], { cwd: folder, stdio: 'ignore' })
  return bin
}
