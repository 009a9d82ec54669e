// Runs before every other script: installs what differs from the lock file, and builds the package if it is older than its
// sources (with --build). Needs Node only.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const at = (...names) => join(root, ...names)
/** The file that a build writes last: one that was interrupted is not complete. */
const lastBuilt = at('dist', 'metafiles.json')
/** What `npm start` installs of `devDependencies`: the bundler, and what the bin and its pages contain. */
export const serverPackages = [
  ...['@modelcontextprotocol/server', '@mswjs/data', 'commander', 'cross-spawn', 'esbuild'],
  ...['msw', 'preact', 'swagger-ui-dist'],
]

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
  const isReady = isInstalled() || (build === 'server' && isInstalled(serverPackages))
  await orEnd(
    () => isReady || (build === 'server' ? installForServer() : install()),
    ({ message }) => `Failed to set up: ${message}. Run npm ci to see why.`,
  )
  if (build === 'nothing' || isBuilt(build)) return
  const flags = build === 'server' ? ['--server'] : []
  await orEnd(
    () => timed('Building', [at('.tools', 'build.mjs'), ...flags]),
    () => 'Failed to build. The reason is above.',
  )
}

/**
 * By versions, not by dates: a checkout or a copy changes dates.
 *
 * @param names the packages of `devDependencies` that are enough, with what they depend on. Default: all
 */
function isInstalled(names) {
  const wanted = packagesOf(at('package-lock.json'))
  const found = packagesOf(at('node_modules', '.package-lock.json'))
  const { dependencies } = wanted['']
  const direct = names && [...Object.keys(dependencies), ...names]
  const paths = direct?.map((name) => `node_modules/${name}`) ?? Object.keys(wanted)
  // What these depend on came with them.
  return [...new Set(names ? [...paths, ...Object.keys(found)] : paths)].every((path) => {
    const { version, optional, devOptional, peer } = wanted[path] ?? {}
    return (
      path === '' ||
      optional ||
      devOptional ||
      peer ||
      (version && found[path]?.version === version && existsSync(at(path, 'package.json')))
    )
  })
}

function packagesOf(lock) {
  return existsSync(lock) ? JSON.parse(readFileSync(lock, 'utf8')).packages : {}
}

function install(cwd = root) {
  const npm = process.env.npm_execpath
  if (!npm) throw new Error('expected to be run by npm, got no npm_execpath')
  const flags = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', ...writableCache()]
  return timed('Installing the dependencies, once: npm ci', [npm, 'ci', ...flags], cwd)
}

/** Installs less than half of all: `npm ci` takes a manifest that lists less than its lock file. */
async function installForServer() {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
  const listed = serverPackages.map((dependency) => [dependency, devDependencies[dependency]])
  const manifest = { dependencies, devDependencies: Object.fromEntries(listed) }
  const folder = at('node_modules', '.server')
  rmSync(at('node_modules'), { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  for (const file of ['package-lock.json', '.npmrc']) copyFileSync(at(file), join(folder, file))
  await install(folder)
  // The list of packages comes last: without it, nothing counts as installed.
  const names = readdirSync(join(folder, 'node_modules')).filter((name) => !name.endsWith('.json'))
  for (const name of [...names, '.package-lock.json'])
    renameSync(join(folder, 'node_modules', name), at('node_modules', name))
  rmSync(folder, { recursive: true })
}

/** Runs a script of Node, and says how long it takes. All output is on stderr: stdout belongs to the command that follows. */
async function timed(what, args, cwd = root) {
  const start = performance.now()
  const seconds = () => ((performance.now() - start) / 1000).toFixed(1)
  console.error(`${what} …`)
  const progress = setInterval(() => console.error(`${what} … ${seconds()} s`), 10_000)
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 2, 2] })
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
