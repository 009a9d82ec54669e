// Builds the package: rolldown writes the library, tsc its declarations, and esbuild the bin, in a few files, the pages of the
// dashboard, and the command line in one file. With --server, only what `npm start` runs.
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
import { entries, noPage, noPageText, refusalOf, refusalText, vitestInPage } from './exports.mjs'
import { writeThirdPartyLicences } from './licences.mjs'

const require = createRequire(import.meta.url)
const root = fileURLToPath(new URL('..', import.meta.url))
const [src, dist, packages] = ['src', 'dist', 'node_modules'].map((name) => join(root, name))
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

/**
 * What the factories replace of `@mswjs/data`. Installed by itself it would bring an msw 2 of its own beside an msw 3, and
 * the handlers that it makes for it, which nobody asks.
 */
const replacedInFactories = {
  '.*/generate(Rest|GraphQL)Handlers': 'module.exports = {}',
  // Would open a BroadcastChannel for each database, so that a Node process with jsdom would not end.
  './extensions/sync': 'exports.sync = () => {}',
  // Only for queries by dates.
  'date-fns': 'module.exports = {}',
  debug: 'module.exports = () => () => {}; module.exports.debug = module.exports',
  // One of its functions, of which the others are four fifths of the file.
  lodash: "exports.isFunction = require('lodash/isFunction')",
}

/** Only the command line describes schemas as JSON Schema, for its tools for agents. */
const replacedInLibrary = {
  ...replacedInFactories,
  '.*/json-schema-processors.js': 'module.exports = {}',
}

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
await buildBin()
await buildPages()
if (!process.argv.includes('--server')) await buildPackage()
// For tests: which files are in which bundle. `setup.mjs` reads what was built, and when.
writeFileSync(join(dist, 'metafiles.json'), JSON.stringify(metafiles))

async function buildPackage() {
  await buildLibrary()
  buildTypes()
  await buildStandalone()
  writeThirdPartyLicences(dist, metafiles, ['swagger-ui-dist'])
  appendLicences(join(dist, 'standalone.mjs'))
}

/** The modules that an export loads, in few files. */
async function buildLibrary() {
  // `npm start` does not install their bundler.
  const { bundleLibrary } = await import('./library.mjs')
  const { bundleCommonJs } = await import('./commonjs.mjs')
  const needsNode = 'integrations/vitest/in-page/needs-node'
  const metafile = await bundleLibrary({
    ...{ src, dist, replaced: replacedInLibrary },
    entries: entries.map(({ module }) => module),
    inPage: {
      entry: 'vitest',
      name: vitestInPage,
      replaced: {
        'integrations/testing/interception': 'integrations/vitest/in-page/interception',
        'scenarios/library': needsNode,
        'server/listen': needsNode,
        'sweep/swept-run': needsNode,
      },
    },
  })
  metafiles.push(metafile)
  for (const entry of entries.filter(({ onlyIn }) => onlyIn)) {
    const { exports } = metafile.outputs[`dist/${entry.module}.js`]
    const file = join(dist, `${refusalOf(entry.module)}.js`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, refusalText(entry, exports))
  }
  writeFileSync(join(dist, `${noPage}.js`), noPageText)
  const required = entries.filter(({ isRequired }) => isRequired).map(({ module }) => module)
  const options = { src, dist, entries: required, replaced: replacedInLibrary }
  metafiles.push(await bundleCommonJs(options))
}

/** The declarations of the exports, and those that their types need. */
function buildTypes() {
  const modules = entries.map(({ module }) => module)
  tsc(
    modules.map((module) => `../src/${module}.ts`),
    ['--emitDeclarationOnly'],
  )
  const declarations = modules.map((module) => `./${module}.d.ts`)
  const listed = tsc(declarations, ['--listFilesOnly', '--rootDir', root], 'pipe')
  const needed = listed
    .trim()
    .split(/\r?\n/)
    .map((file) => relative(dist, file))
  // Half of the declarations are of modules that only other modules import.
  for (const file of readdirSync(dist, { recursive: true })) {
    if (file.endsWith('.d.ts') && !needed.includes(file)) rmSync(join(dist, file))
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

function withoutUnusedOfFactories() {
  return Object.entries(replacedInFactories).map(([name, contents]) => without(name, contents))
}

async function buildBin() {
  await bundle({
    ...forNode,
    entryPoints: { understudy: join(src, 'cli.ts') },
    outdir: dist,
    // What few commands need stands in files of its own beside it, loaded by them alone.
    splitting: true,
    chunkNames: 'understudy-[hash]',
    // Runtime dependencies, which few commands load.
    external: ['httpxy', '@faker-js/faker'],
    plugins: [...withoutUnusedOfBin(), ...withoutUnusedOfFactories()],
  })
  chmodSync(join(dist, 'understudy.js'), 0o755)
}

/** The whole command line in one file, with the files that it reads. It is not part of the package. */
async function buildStandalone() {
  await bundle({
    ...forNode,
    entryPoints: [join(src, 'cli.ts')],
    outfile: join(dist, 'standalone.mjs'),
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
  const documents = ['api/openapi.json', 'api/openapi.live.json', 'admin/openapi.json']
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
  const forPages = { target: 'es2022' }
  const assets = { ...forPages, outdir: join(page, 'assets') }
  await bundle({ ...assets, entryPoints: [join(pages, 'main.tsx')], format: 'esm' })
  await bundle({ ...assets, entryPoints: [join(pages, 'main.css')] })
  copyFileSync(join(pages, 'index.html'), join(page, 'index.html'))
  const start = join(docs, 'start.ts')
  await bundle({ ...forPages, entryPoints: [start], outdir: docsPage, format: 'iife' })
  copyFileSync(join(docs, 'index.html'), join(docsPage, 'index.html'))
  const swagger = ['swagger-ui.css', 'swagger-ui-bundle.js'].map((name) =>
    join(packages, 'swagger-ui-dist', name),
  )
  await bundle({
    ...forPages,
    entryPoints: swagger,
    outdir: docsPage,
    bundle: false,
  })
}

async function bundle(options) {
  const fixed = { absWorkingDir: root, minify: true, metafile: true }
  const { metafile } = await build({
    bundle: true,
    // THIRD-PARTY-LICENSES.txt has them.
    legalComments: 'none',
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
