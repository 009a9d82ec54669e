// Runs before every other script: installs what differs from the lock file, and builds the package if it is older than its
// sources (with --build). Needs Node only.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const at = (...names) => join(root, ...names)
/** The file that a build writes last: one that was interrupted is not complete. */
const lastBuilt = at('dist', 'metafiles.json')

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await setUp(process.argv.includes('--build') ? 'package' : 'nothing')
}

/**
 * Ends the process where it fails.
 *
 * @param {'package' | 'server' | 'nothing'} build what is built. The server is a part of the package
 */
export async function setUp(build) {
  const orEnd = async (work, describe) => {
    try {
      await work()
    } catch (error) {
      console.error(describe(error))
      process.exit(1)
    }
  }
  await orEnd(
    () => isInstalled() || install(),
    ({ message }) => `Failed to set up: ${message}. Run npm ci to see why.`,
  )
  if (build === 'nothing' || isBuilt(build)) return
  const flags = build === 'server' ? ['--server'] : []
  await orEnd(
    () => timed('Building', [at('.tools', 'build.mjs'), ...flags]),
    () => 'Failed to build. The reason is above.',
  )
}

/** By versions, not by dates: a checkout or a copy changes dates. */
function isInstalled() {
  const wanted = packagesOf(at('package-lock.json'))
  const found = packagesOf(at('node_modules', '.package-lock.json'))
  return Object.entries(wanted).every(
    ([path, { version, optional, devOptional, peer }]) =>
      path === '' ||
      optional ||
      devOptional ||
      peer ||
      (found[path]?.version === version && existsSync(at(path, 'package.json'))),
  )
}

function packagesOf(lock) {
  return existsSync(lock) ? JSON.parse(readFileSync(lock, 'utf8')).packages : {}
}

function install() {
  const npm = process.env.npm_execpath
  if (!npm) throw new Error('expected to be run by npm, got no npm_execpath')
  const flags = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', ...writableCache()]
  return timed('Installing the dependencies, once: npm ci', [npm, 'ci', ...flags])
}

/** Runs a script of Node, and says how long it takes. All output is on stderr: stdout belongs to the command that follows. */
async function timed(what, args) {
  const start = performance.now()
  const seconds = () => ((performance.now() - start) / 1000).toFixed(1)
  console.error(`${what} …`)
  const progress = setInterval(() => console.error(`${what} … ${seconds()} s`), 10_000)
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] })
  const [code, signal] = await once(child, 'exit').finally(() => clearInterval(progress))
  if (code !== 0) throw new Error(`it ended with ${signal ?? `code ${code}`}`)
  console.error(`Done in ${seconds()} s.`)
}

function writableCache() {
  const cache = process.env.npm_config_cache
  try {
    if (cache && existsSync(cache)) accessSync(cache, constants.W_OK)
    return []
  } catch {
    return ['--cache', mkdtempSync(join(tmpdir(), 'understudy-npm-'))]
  }
}

function isBuilt(build) {
  if (!existsSync(lastBuilt)) return false
  const outputs = JSON.parse(readFileSync(lastBuilt, 'utf8')).flatMap(({ outputs }) =>
    Object.keys(outputs),
  )
  if (build === 'package' && !outputs.includes('dist/index.js')) return false
  const built = statSync(lastBuilt).mtimeMs
  const files = ['src', 'fixtures', 'package.json', 'package-lock.json', 'tsconfig.json']
  const scripts = readdirSync(at('.tools')).filter((name) => name.endsWith('.mjs'))
  const sources = [...files.map((name) => at(name)), ...scripts.map((name) => at('.tools', name))]
  return sources.every((source) => newest(source) <= built)
}

/** When the newest file of a path was written. The build reads no documents. */
function newest(path) {
  if (path.endsWith('.md') || /\bopenapi(\.live)?\.json$/.test(path)) return 0
  const found = statSync(path)
  if (!found.isDirectory()) return found.mtimeMs
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}
