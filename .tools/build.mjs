// Builds the package: tsc writes the library, one file per module; esbuild writes the bin, in a few files, the factories,
// the pages of the dashboard, and the command line in one file.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { writeThirdPartyLicences } from './licences.mjs'

const require = createRequire(import.meta.url)
const root = fileURLToPath(new URL('..', import.meta.url))
const [src, dist, packages] = ['src', 'dist', 'node_modules'].map((name) => join(root, name))
const readJson = (...names) => JSON.parse(readFileSync(join(...names), 'utf8'))
const metafiles = []
/** What the command line in Node is bundled with. */
const forNode = {
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  // For the CommonJS packages that it bundles.
  banner: {
    js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
  },
  // Node 26 warns when MSW looks for it, to store cookies.
  define: { localStorage: 'undefined' },
}

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
buildModules(readJson(root, 'package.json'))
buildWorlds()
await buildFactories()
await buildBin()
await buildPages()
await buildStandalone()
writeThirdPartyLicences(dist, metafiles, ['swagger-ui-dist'])
appendLicences(join(dist, 'standalone.mjs'))
// For tests: which files are in which bundle. `setup.mjs` reads when it was written.
writeFileSync(join(dist, 'metafiles.json'), JSON.stringify(metafiles))

/** The modules that an export, or a page in the place of one, loads, and the declarations that their types need. */
function buildModules({ exports, browser }) {
  const entries = Object.values(exports).filter((entry) => typeof entry !== 'string')
  const inNode = entries.flatMap((entry) => entry.node ?? [])
  const modules = [...entries.map((entry) => entry.default), ...inNode, ...Object.values(browser)]
  const sources = modules.map((file) => file.replace('./dist/', '../src/').replace('.js', '.ts'))
  tsc(sources, ['--emitDeclarationOnly'])
  // The docstrings stand in the declarations, where editors read them. The types are checked by now.
  tsc(sources, ['--declaration', 'false', '--removeComments', '--noCheck'])
  const types = entries.map((entry) => entry.types.replace('./dist/', './'))
  const listed = tsc(types, ['--listFilesOnly', '--rootDir', root], 'pipe').trim().split(/\r?\n/)
  const needed = listed.map((file) => relative(dist, file))
  // Half of the declarations are of modules that only other modules import.
  for (const file of readdirSync(dist, { recursive: true })) {
    if (file.endsWith('.d.ts') && !needed.includes(file)) rmSync(join(dist, file))
  }
}

/** The worlds that modules import, as modules: a context of `node:vm`, as of Vitest's pools, imports no JSON. */
function buildWorlds() {
  const json =
    /(from |import\()'((?:\.\.\/)+)fixtures\/(\w+)\.json'(?: with|, \{ with:) \{ type: 'json' \}(?: \})?/g
  const worlds = new Set()
  for (const file of readdirSync(dist, { recursive: true })) {
    if (!file.endsWith('.js')) continue
    const code = readFileSync(join(dist, file), 'utf8')
    const changed = code.replace(json, (_, start, up, name) => {
      worlds.add(name)
      return `${start}'${up.replace('../', '') || './'}worlds/${name}.js'`
    })
    if (changed !== code) writeFileSync(join(dist, file), changed)
  }
  mkdirSync(join(dist, 'worlds'))
  for (const name of worlds) {
    const text = readFileSync(join(root, 'fixtures', `${name}.json`), 'utf8')
    writeFileSync(join(dist, 'worlds', `${name}.js`), `export default ${text}`)
  }
}

function tsc(files, flags, stdout = 'inherit') {
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
  const config = join(dist, 'tsconfig.json')
  const include = ['../src/utils/*.d.ts']
  writeFileSync(config, JSON.stringify({ extends: '../tsconfig.json', files, include }))
  const options = { stdio: ['ignore', stdout, 'inherit'], encoding: 'utf8' }
  try {
    return execFileSync(process.execPath, [compiler, '-p', config, ...flags], options)
  } catch {
    // tsc has printed the errors of types.
    process.exit(1)
  } finally {
    rmSync(config)
  }
}

/**
 * The factories with `@mswjs/data` in one file: installed by itself it would bring an msw 2 of its own beside an msw 3,
 * and the handlers that it makes for it, which nobody asks.
 */
async function buildFactories() {
  const name = join('world', 'factories', 'database')
  await bundle({
    entryPoints: [join(src, `${name}.ts`)],
    outfile: join(dist, `${name}.js`),
    external: ['@faker-js/faker'],
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2023',
    legalComments: 'none',
    plugins: withoutUnusedOfFactories(),
  })
}

function withoutUnusedOfFactories() {
  return [
    without('.*/generate(Rest|GraphQL)Handlers'),
    // Would open a BroadcastChannel for each database, so that a Node process with jsdom would not end.
    without('./extensions/sync', 'exports.sync = () => {}'),
    // Only for queries by dates.
    without('date-fns'),
    without('debug', 'module.exports = () => () => {}; module.exports.debug = module.exports'),
    // One of its functions, of which the others are four fifths of the file.
    without('lodash', "exports.isFunction = require('lodash/isFunction')"),
  ]
}

async function buildBin() {
  // The factories are a bundle of their own, which the library uses, too. The bin loads it on demand.
  const besideTheBin = {
    name: 'beside the bin',
    setup({ onResolve }) {
      const path = './world/factories/generate.js'
      onResolve({ filter: /\/factories\/generate\.ts$/ }, () => ({ path, external: true }))
    },
  }
  await bundle({
    ...forNode,
    entryPoints: { understudy: join(src, 'cli.ts') },
    outdir: dist,
    // What few commands need stands in files of its own beside it, loaded by them alone.
    splitting: true,
    chunkNames: 'understudy-[hash]',
    // A runtime dependency of one file, which few commands load.
    external: ['httpxy'],
    plugins: [besideTheBin, ...withoutUnusedOfBin()],
  })
  chmodSync(join(dist, 'understudy.js'), 0o755)
}

/** The whole command line in one file, with the files that it reads. It is not part of the package. */
async function buildStandalone() {
  await bundle({
    ...forNode,
    entryPoints: [join(src, 'cli.ts')],
    outfile: join(dist, 'standalone.mjs'),
    legalComments: 'none',
    plugins: [withPackageFiles(), ...withoutUnusedOfBin(), ...withoutUnusedOfFactories()],
  })
}

function appendLicences(file) {
  const licences = readFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
  appendFileSync(file, `/*\n${licences.replaceAll('*/', '* /')}\n*/\n`)
}

/** Puts the files of the package into the bundle. Node reads files only, so they are written to a temporary folder. */
function withPackageFiles() {
  const folders = ['fixtures', 'scenarios', 'dist/dashboard']
  const listed = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  )
  const documents = ['api/openapi.json', 'api/openapi.live.json', 'control/openapi.json']
  const paths = [...listed, ...documents.map((path) => join('src', path))]
  const files = Object.fromEntries(
    paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  )
  const contents = `
    import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
    import { tmpdir } from 'node:os'
    import { dirname, join } from 'node:path'
    const files = ${JSON.stringify(files)}
    let folder
    export function packageFile(path) {
      folder ??= write()
      return join(folder, path)
    }
    function write() {
      const folder = mkdtempSync(join(tmpdir(), 'understudy-standalone-'))
      process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
      return folder
    }`
  return without('.*/package-file.ts', contents)
}

/** Each package below takes milliseconds of each start. */
function withoutUnusedOfBin() {
  const types = require('mime-db')
  const texts = ['html', 'css', 'javascript', 'plain', 'markdown'].map((name) => `text/${name}`)
  const served = [...texts, 'application/json', 'image/png', 'image/svg+xml', 'font/woff2']
  const servedTypes = Object.fromEntries(served.map((name) => [name, types[name]]))
  const interceptors = (path) =>
    JSON.stringify(join(packages, '@mswjs', 'interceptors', 'src', path))
  return [
    // Express's parsers of bodies bring the tables of every encoding along. The pages have nine of a thousand media types.
    without('body-parser'),
    without('mime-db', `module.exports = ${JSON.stringify(servedTypes)}`),
    // MSW's handlers of GraphQL bring its parser along. Its store of cookies has the public suffixes of the world, and
    // its classes of responses load all of fetch: both are for handlers that a worker or an interceptor runs.
    without('graphql'),
    without(
      'tough-cookie',
      'export class Cookie {} export class CookieJar {} export class MemoryCookieStore {}',
    ),
    without(
      '@mswjs/interceptors',
      `export { getCleanUrl } from ${interceptors('utils/getCleanUrl.ts')}
      export { createRequestId } from ${interceptors('createRequestId.ts')}
      export class FetchResponse {}
      export function resolveWebSocketUrl() {}`,
    ),
    // The SDK of the Model Context Protocol checks answers of users with Ajv. This server asks users nothing.
    without(
      '.*/_shims',
      `export { default as process } from 'node:process'
      export class DefaultJsonSchemaValidator {}`,
    ),
  ]
}

/** The dashboard, the API reference beside it, and the panel, which shows the dashboard in other pages. */
async function buildPages() {
  const [pages, docs] = [join(src, 'dashboard'), join(src, 'server', 'docs')]
  const [page, docsPage] = [join(dist, 'dashboard'), join(dist, 'dashboard', 'docs')]
  // The modules of the panel are there, which are bundled with Preact instead.
  rmSync(page, { recursive: true, force: true })
  const forPages = { target: 'es2022' }
  const assets = { ...forPages, outdir: join(page, 'assets') }
  await bundle({ ...assets, entryPoints: [join(pages, 'main.tsx')], format: 'esm' })
  await bundle({ ...assets, entryPoints: [join(pages, 'main.css')] })
  copyFileSync(join(pages, 'index.html'), join(page, 'index.html'))
  const outsideOfPages = {
    name: 'outside of the pages',
    setup({ onResolve }) {
      const path = (specifier) => ({ path: specifier.replace(/\.ts$/, '.js'), external: true })
      onResolve(
        { filter: /^\.\.\// },
        (found) => found.importer.startsWith(pages) && path(found.path),
      )
    },
  }
  await bundle({
    ...{ ...forPages, outdir: page, format: 'esm', splitting: true, chunkNames: 'in-page-[hash]' },
    ...{ entryPoints: [join(pages, 'panel.ts')], plugins: [outsideOfPages] },
  })
  const start = join(docs, 'start.ts')
  await bundle({ ...forPages, entryPoints: [start], outdir: docsPage, format: 'iife' })
  copyFileSync(join(docs, 'index.html'), join(docsPage, 'index.html'))
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    copyFileSync(join(packages, 'swagger-ui-dist', name), join(docsPage, name))
  }
}

async function bundle(options) {
  const fixed = { absWorkingDir: root, bundle: true, minify: true, metafile: true }
  const { metafile } = await build({
    legalComments: 'linked',
    logLevel: 'warning',
    ...options,
    ...fixed,
  })
  metafiles.push(metafile)
}

/**
 * A plugin for esbuild that replaces a module, which the bundle loads but never runs.
 *
 * @param {string} name the specifier, as the source of a regular expression
 * @param {string} contents the module that takes its place
 */
function without(name, contents = 'module.exports = {}') {
  const namespace = `without-${name}`
  return {
    name: `without ${name}`,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${name}$`) }, ({ path }) => ({ path, namespace }))
      onLoad({ filter: /./, namespace }, () => ({ contents, resolveDir: root }))
    },
  }
}
