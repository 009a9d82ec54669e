// Builds the package: tsc writes the library, one file per module; esbuild writes the bin, in a few files, and
// the pages of the dashboard.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildFactories } from './build-factories.mjs'
import { buildModules } from './build-modules.mjs'
import { thirdPartyLicences } from './third-party-licences.mjs'
import { without } from './without.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

rmSync(join(root, 'dist'), { recursive: true, force: true })
mkdirSync(join(root, 'dist'))
buildModules(root, manifest)

const metafiles = [await buildFactories(root)]

const mcpShims =
  "export { default as process } from 'node:process'\nexport class DefaultJsonSchemaValidator {}"
const bin = join(root, 'dist', 'understudy.js')
await bundle({
  entryPoints: { understudy: join(root, 'src', 'cli.ts') },
  outdir: dirname(bin),
  // What few commands need stands in files of its own beside it, loaded by them alone.
  splitting: true,
  chunkNames: 'understudy-[hash]',
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  minify: true,
  // For the CommonJS packages that it bundles.
  banner: {
    js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
  },
  // A runtime dependency of one file, which few commands load.
  external: ['httpxy'],
  // Node 26 warns when MSW looks for it, to store cookies.
  define: { localStorage: 'undefined' },
  // Each package below takes milliseconds of each start.
  //
  // - Express's parsers of bodies bring the tables of every encoding along, and the pages have nine of a thousand media
  //   types.
  // - MSW's handlers of GraphQL bring its parser along. Its store of cookies has the public suffixes of the world, and its
  //   classes of responses load all of fetch. Both are for handlers that a service worker or an interceptor runs.
  // - The SDK of the Model Context Protocol checks answers of users with Ajv. This server asks users nothing.
  plugins: [
    besideTheBin(),
    without('body-parser'),
    without('mime-db', `module.exports = ${JSON.stringify(servedTypes())}`),
    without('graphql'),
    without(
      'tough-cookie',
      'export class Cookie {} export class CookieJar {} export class MemoryCookieStore {}',
    ),
    without('@mswjs/interceptors', fewInterceptors()),
    without('.*/_shims', mcpShims),
  ],
})
chmodSync(bin, 0o755)

const [pages, page] = [join(root, 'src', 'server', 'dashboard'), join(root, 'dist', 'dashboard')]
const forPages = {
  outdir: join(page, 'assets'),
  bundle: true,
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
}
await bundle({
  ...forPages,
  entryPoints: [join(pages, 'main.tsx')],
  format: 'esm',
})
await bundle({ ...forPages, entryPoints: [join(pages, 'main.css')] })
copyFileSync(join(pages, 'index.html'), join(page, 'index.html'))

const [docs, docsPage] = [join(root, 'src', 'server', 'docs'), join(page, 'docs')]
await bundle({
  ...forPages,
  entryPoints: [join(docs, 'start.ts')],
  outdir: docsPage,
  format: 'iife',
})
copyFileSync(join(docs, 'index.html'), join(docsPage, 'index.html'))
const swagger = join(root, 'node_modules', 'swagger-ui-dist')
for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
  copyFileSync(join(swagger, name), join(docsPage, name))
}

/** The parts of MSW's interceptors that matching a path needs. */
function fewInterceptors() {
  const from = (...names) => inPackages('@mswjs', 'interceptors', 'src', ...names)
  return `export { getCleanUrl } from ${from('utils', 'getCleanUrl.ts')}
export { createRequestId } from ${from('createRequestId.ts')}
export class FetchResponse {}
export function resolveWebSocketUrl() {}`
}

/** The specifier of a file that its package does not export. */
function inPackages(...names) {
  return JSON.stringify(join(root, 'node_modules', ...names))
}

function servedTypes() {
  const types = createRequire(import.meta.url)('mime-db')
  const names = ['html', 'css', 'javascript', 'plain', 'markdown'].map((name) => `text/${name}`)
  const served = [...names, 'application/json', 'image/png', 'image/svg+xml', 'font/woff2']
  return Object.fromEntries(served.map((name) => [name, types[name]]))
}

const licences = thirdPartyLicences(root, metafiles, ['swagger-ui-dist'])
writeFileSync(join(root, 'dist', 'THIRD-PARTY-LICENSES.txt'), licences)
// For tests: which files are in which bundle.
writeFileSync(join(root, 'dist', 'metafiles.json'), JSON.stringify(metafiles))

async function bundle(options) {
  const fixed = {
    absWorkingDir: root,
    legalComments: 'linked',
    logLevel: 'warning',
    metafile: true,
  }
  const { metafile } = await build({ ...options, ...fixed })
  metafiles.push(metafile)
}

/** The factories are a bundle of their own, which the library uses, too. It loads on demand. */
function besideTheBin() {
  return {
    name: 'beside the bin',
    setup({ onResolve }) {
      onResolve({ filter: /\/factories\/generate\.ts$/ }, () => ({
        path: './world/factories/generate.js',
        external: true,
      }))
    },
  }
}
