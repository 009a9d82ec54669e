// Builds the package: tsc writes the library, one file per module; esbuild writes the bin, one file in all, and
// the pages of the dashboard.
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildFactories } from './build-factories.mjs'
import { thirdPartyLicences } from './third-party-licences.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const typescript = createRequire(import.meta.url).resolve('typescript/package.json')

rmSync(join(root, 'dist'), { recursive: true, force: true })
execFileSync(process.execPath, [join(dirname(typescript), 'bin', 'tsc'), '-p', root], {
  stdio: 'inherit',
})

const templates = join('world', 'factories', 'plugin-templates.json')
copyFileSync(join(root, 'src', templates), join(root, 'dist', templates))
const metafiles = [await buildFactories(root)]

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
  // Express is CommonJS: inside an ES module its `require` calls need one to call.
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module'\nconst require = __createRequire(import.meta.url)",
  },
  plugins: [factoriesBesideTheBin(), without('body-parser'), without('graphql')],
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
  entryPoints: [join(pages, 'main.tsx'), join(pages, 'main.css')],
  format: 'esm',
  splitting: true,
})
// A blocking script: it runs before the page is painted, unlike a module.
await bundle({ ...forPages, entryPoints: [join(pages, 'shell', 'theme.ts')], format: 'iife' })
copyFileSync(join(pages, 'index.html'), join(page, 'index.html'))

/**
 * Express's parsers of bodies bring the tables of every encoding along, MSW's handlers of GraphQL its parser: a third of
 * the package, and nobody asks them.
 */
function without(name) {
  return {
    name: `without ${name}`,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${name}$`) }, ({ path }) => ({ path, namespace: 'without' }))
      onLoad({ filter: /./, namespace: 'without' }, () => ({ contents: 'module.exports = {}' }))
    },
  }
}

const reference = join(page, 'docs')
await bundle({
  ...forPages,
  outdir: reference,
  entryPoints: [join(pages, 'docs', 'docs.ts'), join(pages, 'docs', 'docs.css')],
  format: 'esm',
})
copyFileSync(join(pages, 'docs', 'index.html'), join(reference, 'index.html'))
const explorer = join(root, 'node_modules', 'openapi-explorer')
copyFileSync(
  join(explorer, 'dist', 'browser', 'openapi-explorer.min.js'),
  join(reference, 'openapi-explorer.min.js'),
)

const licences = thirdPartyLicences(root, metafiles, ['openapi-explorer'])
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

/** The factories cost a quarter of a second of imports: they stay outside the bin and load on demand. */
function factoriesBesideTheBin() {
  const path = './world/factories/generate.js'
  return {
    name: 'factories beside the bin',
    setup: ({ onResolve }) =>
      onResolve({ filter: /\/factories\/generate\.ts$/ }, () => ({ path, external: true })),
  }
}
