// npm run compatibility: the packed package with every supported version of Node, msw, Vitest and Express, and in browsers.
// It prints a table, and fails if a check fails. Downloads about 200 MB from the registry, once.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { browsers, checkInBrowser } from './browsers.mjs'
import { names } from './checks.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const checks = fileURLToPath(new URL('checks.mjs', import.meta.url))
const suite = join(root, 'test', 'consumers', 'vitest')

/** The floor and the newest of each major version that is supported. */
const nodes = ['20.19.0', '22', '24', '26']
const msws = ['2.12.0', '2', '3']
const expresses = ['5.0.0', '5']
const vitests = ['4.1.0', '5']
/** msw 3 and Vitest 5 require Node 22. */
const canRun = (node, ...versions) =>
  !(node.startsWith('20') && versions.some((version) => ['msw@3', 'vitest@5'].includes(version)))

const folder = mkdtempSync(join(tmpdir(), 'understudy-compatibility-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const packed = JSON.parse(
  npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder),
)
const tarball = join(folder, packed[0].filename)
const binaries = installNodes()
const rows = msws.flatMap((msw) => expresses.flatMap((express) => rowsOf(msw, express)))
const head = ['Node', 'msw', 'Express', ...names]
print([head, ...rows])
const tests = msws.flatMap((msw) => vitests.flatMap((vitest) => testsOf(msw, vitest)))
print([['Node', 'msw', 'Vitest', 'fixtures', 'reporters', 'sweep'], ...tests])
const pages = await inBrowsers()
print([['Browser', 'msw', 'startInBrowser'], ...pages])

const failed = [...rows, ...tests, ...pages].flat().filter((cell) => cell.startsWith('FAILED'))
console.log(failed.length === 0 ? 'Everything works.' : `${failed.length} checks failed.`)
process.exitCode = failed.length === 0 ? 0 : 1

function rowsOf(msw, express) {
  const packages = [`msw@${msw}`, `express@${express}`]
  const project = createProject(`msw-${msw}-express-${express}`, packages)
  copyFileSync(checks, join(project, 'checks.mjs'))
  return onEachNode(project, packages, names, (name, node) =>
    resultOf(name, node, ['checks.mjs', name], project),
  )
}

/** The tests of a project that uses the fixtures, both reporters and the sweep. */
function testsOf(msw, vitest) {
  const packages = [`msw@${msw}`, `vitest@${vitest}`]
  const project = createProject(`msw-${msw}-vitest-${vitest}`, packages)
  cpSync(suite, project, { recursive: true, filter: (file) => !file.endsWith('package.json') })
  const main = join(project, 'node_modules', 'vitest', 'vitest.mjs')
  const parts = {
    fixtures: [],
    reporters: ['--reporter=understudy-api/vitest/reporter'],
    sweep: ['story', '--reporter=understudy-api/vitest/sweep'],
  }
  return onEachNode(project, packages, Object.keys(parts), (name, node) =>
    resultOf(name, node, [main, 'run', ...parts[name]], project),
  )
}

/** The rows of a project: one for each Node, with the versions of its packages and the results of its checks. */
function onEachNode(project, packages, checked, check) {
  const versions = packages.map((name) => versionOf(project, name.split('@')[0]))
  return nodes.map((node) => {
    const { path, version } = binaries[node]
    const isSupported = canRun(node, ...packages)
    const results = checked.map((name) => (isSupported ? check(name, path) : 'not supported'))
    return [version, ...versions, ...results]
  })
}

/** @returns {string} `ok`, or `FAILED`; what went wrong is printed at once */
function resultOf(name, node, args, cwd) {
  // Vitest starts its workers with the Node that runs it.
  const env = { ...process.env, NO_COLOR: '1', CI: '' }
  try {
    execFileSync(node, args, { cwd, env, stdio: 'pipe', timeout: 60_000 })
    return 'ok'
  } catch (error) {
    console.log(
      `${name} failed in ${cwd} with ${node}:\n${error.stdout}${error.stderr || error.message}`,
    )
    return 'FAILED'
  }
}

async function inBrowsers() {
  const found = []
  for (const browser of browsers) {
    for (const msw of msws) {
      const project = join(folder, `msw-${msw}-express-5`)
      const version = versionOf(project, 'msw')
      const result = browser.isInstalled ? await checkInBrowser(browser, project) : 'not installed'
      const isFine = ['ok', 'not installed'].includes(result)
      found.push([browser.name, version, isFine ? result : `FAILED: ${result}`])
    }
  }
  return found
}

/** The packages that the npm package `node` installs. @returns path and version by the version that was asked for */
function installNodes() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const aliases = nodes.map((node) => `node-${node}@npm:node-${platform}-${process.arch}@${node}`)
  const project = createProject('nodes', aliases, { isBare: true })
  return Object.fromEntries(
    nodes.map((node) => {
      const path = join(project, 'node_modules', `node-${node}`, 'bin', 'node')
      return [node, { path, version: versionOf(project, `node-${node}`) }]
    }),
  )
}

function createProject(name, packages, { isBare = false } = {}) {
  const project = join(folder, name)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}')
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  npm(project, 'install', ...(isBare ? [] : [tarball]), ...packages, ...flags)
  return project
}

function versionOf(project, name) {
  const file = join(project, 'node_modules', name, 'package.json')
  return JSON.parse(readFileSync(file, 'utf8')).version.replace(/^v/, '')
}

function npm(cwd, ...args) {
  const options = { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 26 }
  return execFileSync('npm', args, options)
}

function print(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  for (const line of lines) {
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
  }
  console.log()
}
