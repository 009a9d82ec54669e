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
const licences = () => thirdPartyLicences(['swagger-ui-dist'])
writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licences())
await buildStandalone()
// For tests: which files are in which bundle. `setup.mjs` reads when it was written.
writeFileSync(join(dist, 'metafiles.json'), JSON.stringify(metafiles))

/** The modules that an export, or a page in the place of one, loads, and the declarations that their types need. */
function buildModules({ exports, browser }) {
  const entries = Object.values(exports).filter((entry) => typeof entry !== 'string')
  const modules = [...entries.map((entry) => entry.default), ...Object.values(browser)]
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
  const json = /^(import \w+ from ')((?:\.\.\/)+)fixtures\/(\w+)\.json' with \{ type: 'json' \};$/gm
  const worlds = new Set()
  for (const file of readdirSync(dist, { recursive: true })) {
    if (!file.endsWith('.js')) continue
    const code = readFileSync(join(dist, file), 'utf8')
    const changed = code.replace(json, (_, start, up, name) => {
      worlds.add(name)
      return `${start}${up.replace('../', '') || './'}worlds/${name}.js';`
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
  const outfile = join(dist, 'standalone.mjs')
  await bundle({
    ...forNode,
    entryPoints: [join(src, 'cli.ts')],
    outfile,
    legalComments: 'none',
    plugins: [withPackageFiles(), ...withoutUnusedOfBin(), ...withoutUnusedOfFactories()],
  })
  appendFileSync(outfile, `/*\n${licences().replaceAll('*/', '* /')}\n*/\n`)
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

/** The dashboard, and the API reference beside it. */
async function buildPages() {
  const [pages, docs] = [join(src, 'dashboard'), join(src, 'server', 'docs')]
  const [page, docsPage] = [join(dist, 'dashboard'), join(dist, 'dashboard', 'docs')]
  const forPages = { target: 'es2022', jsx: 'automatic', jsxImportSource: 'preact' }
  const assets = { ...forPages, outdir: join(page, 'assets') }
  await bundle({ ...assets, entryPoints: [join(pages, 'main.tsx')], format: 'esm' })
  await bundle({ ...assets, entryPoints: [join(pages, 'main.css')] })
  copyFileSync(join(pages, 'index.html'), join(page, 'index.html'))
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

/** The licence of each package that has code in a bundle, or whose files are copied, sorted by licence and name. */
function thirdPartyLicences(copied) {
  const bundled = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  const folders = [...bundled, ...copied.map((name) => `node_modules/${name}`)]
  const texts = [...new Set(folders)].map(licenceOf)
  const sorted = texts.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  const head = `The files of this folder contain code of the following packages. Each has its licence below.
The licence of Understudy itself is in LICENSE.md.
`
  return [head, ...sorted].join(`\n${'-'.repeat(80)}\n\n`)
}

/** @returns {[string, string]} by what the texts are sorted, so that those that are alike stand together; and the text */
function licenceOf(folder) {
  // Packages without a licence file, and a package of the same authors, under the same licence, that has one.
  const sameLicence = {
    'strict-event-emitter': 'msw',
    'is-node-process': 'msw',
    '@open-draft/deferred-promise': '@mswjs/interceptors',
  }
  const { name, version, license } = readJson(root, folder, 'package.json')
  const filesOf = (path) =>
    readdirSync(path).flatMap((file) =>
      /^(licen[cs]e|copying|notice)/i.test(file) ? join(path, file) : [],
    )
  const own = filesOf(join(root, folder))
  const other = sameLicence[name]
  if (own.length === 0 && !other) throw new Error(`Failed to find the licence file of ${name}`)
  const title = `${name} ${version}, ${license}`
  const texts =
    own.length > 0
      ? [title, ...own.map(read)]
      : [
          `${title}, without a file; that of ${other}, by the same authors`,
          ...filesOf(join(packages, other)).map(read),
        ]
  return [`${license} ${name}@${version}`, [...texts, ''].join('\n\n')]
}

function read(file) {
  return readFileSync(file, 'utf8').trim()
}
