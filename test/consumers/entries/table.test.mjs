// Each entry by each resolver that reads `exports` of package.json: it works there, or says what to use. doors, runtimes and
// vitest-browser run what works.
import assert from 'node:assert'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { rspack } from '@rspack/core'
import * as esbuild from 'esbuild'
import Metro from 'metro'
import { Miniflare } from 'miniflare'
import * as vite from 'vite'
import webpack from 'webpack'

const everywhere = ['', 'factories']
const others = ['node', 'express', 'playwright', 'playwright/reporter', 'vitest/reporter', 'vitest']
const all = [...everywhere, 'browser', ...others]

/** What an entry is in a kind of place. */
const expected = {
  node: (name) => (name === 'browser' ? 'says that there is no page' : 'works'),
  page: (name) => (others.includes(name) && name !== 'vitest' ? 'says what to use' : 'works'),
  elsewhere(name) {
    if (name === 'browser') return 'says that there is no page'
    return everywhere.includes(name) ? 'works' : 'says what to use'
  },
}

/** What the project installs besides. */
const external = [
  'msw',
  'vitest',
  'express',
  'httpxy',
  'zod',
  '@faker-js/faker',
  '@remix-run/node-fetch-server',
]
const isExternal = (path) =>
  path.startsWith('node:') ||
  (!path.endsWith('.json') && external.some((name) => path === name || path.startsWith(`${name}/`)))
const externals = ({ request }, done) =>
  isExternal(request) ? done(null, `module ${request}`) : done()

const folder = mkdtempSync(resolve('bundles-'))
test.after(() => rmSync(folder, { recursive: true }))

const byEsbuild = async (entry, out, options) =>
  void (await esbuild.build({
    ...{ entryPoints: [entry], outfile: out, bundle: true, format: 'esm', logLevel: 'silent' },
    ...{
      plugins: [
        {
          name: 'project',
          setup: ({ onResolve }) =>
            onResolve({ filter: /./ }, ({ path }) =>
              isExternal(path) ? { path, external: true } : null,
            ),
        },
      ],
    },
    ...options,
  }))
const byVite = async (entry, out, { ssr = false, conditions }) =>
  void (await vite.build({
    ...{ root: folder, configFile: false, logLevel: 'silent' },
    ...(ssr ? { ssr: { noExternal: true, resolve: { conditions } } } : { resolve: { conditions } }),
    build: {
      ...{ ssr, outDir: folder, emptyOutDir: false, minify: false, copyPublicDir: false },
      rollupOptions: {
        input: entry,
        external: isExternal,
        output: {
          format: 'esm',
          entryFileNames: out.slice(folder.length + 1),
          codeSplitting: false,
        },
        preserveEntrySignatures: 'strict',
      },
    },
  }))
const byWebpack =
  (pack) =>
  async (entry, out, { target, conditions = [] }) => {
    const stats = await promisify(pack)({
      ...{
        mode: 'none',
        entry,
        target,
        externals,
        externalsType: 'module',
        experiments: { outputModule: true },
      },
      resolve: { conditionNames: [...conditions, '...'] },
      output: {
        path: folder,
        filename: out.slice(folder.length + 1),
        module: true,
        library: { type: 'module' },
      },
    })
    assert.equal(stats.hasErrors(), false, stats.toString('errors-only'))
  }
const byMetro = async (entry, out) => {
  const config = await Metro.loadConfig(
    { cwd: folder },
    { projectRoot: folder, watchFolders: [resolve('.')] },
  )
  const transform = { experimentalImportSupport: true, inlineRequires: false }
  // As React Native sets them.
  Object.assign(config.resolver, { unstable_conditionNames: ['react-native'] })
  Object.assign(config.transformer, { getTransformOptions: async () => ({ transform }) })
  const { code } = await Metro.runBuild(config, { entry, platform: 'ios', minify: false })
  writeFileSync(out, code)
}

const byParcel = async (entry, out) => {
  const page = entry.replace('.js', '.html')
  writeFileSync(
    page,
    `<!doctype html><script type="module" src="${entry.slice(folder.length + 1)}"></script>`,
  )
  const dist = `${out}-dist`
  execFileSync('npx', [
    'parcel',
    'build',
    page,
    '--dist-dir',
    dist,
    '--no-cache',
    '--no-optimize',
    '--no-source-maps',
  ])
  const scripts = readdirSync(dist).filter((name) => name.endsWith('.js'))
  writeFileSync(out, scripts.map((name) => readFileSync(join(dist, name), 'utf8')).join('\n'))
}
const byNode = async (entry, out) => writeFileSync(out, readFileSync(entry))

const places = [
  { by: 'Node', bundle: byNode, place: 'node' },
  { by: 'esbuild for a page', bundle: byEsbuild, options: { platform: 'browser' }, place: 'page' },
  { by: 'esbuild for Node', bundle: byEsbuild, options: { platform: 'node' }, place: 'node' },
  {
    by: 'wrangler',
    bundle: byEsbuild,
    options: { platform: 'browser', conditions: ['workerd', 'worker', 'browser'] },
    place: 'elsewhere',
  },
  { by: 'Vite for a page', bundle: byVite, options: {}, place: 'page' },
  { by: 'Vite for a server', bundle: byVite, options: { ssr: true }, place: 'node' },
  {
    by: 'Vite for a Worker',
    bundle: byVite,
    options: { ssr: true, conditions: ['workerd', 'worker', 'module', 'browser'] },
    place: 'elsewhere',
  },
  ...Object.entries({ webpack, Rspack: rspack }).flatMap(([name, pack]) => [
    {
      by: `${name} for a page`,
      bundle: byWebpack(pack),
      options: { target: 'web' },
      place: 'page',
    },
    {
      by: `${name} for a worker`,
      bundle: byWebpack(pack),
      options: { target: 'webworker' },
      place: 'elsewhere',
    },
    { by: `${name} for Node`, bundle: byWebpack(pack), options: { target: 'node' }, place: 'node' },
    {
      by: `${name} for an edge runtime`,
      bundle: byWebpack(pack),
      options: { target: 'web', conditions: ['edge-light', 'worker'] },
      place: 'elsewhere',
    },
  ]),
  // The project metro bundles the one that imports MSW.
  { by: 'Metro', bundle: byMetro, place: 'elsewhere', names: ['factories', 'browser', ...others] },
  { by: 'Parcel', bundle: byParcel, place: 'page', isSplit: true },
]

for (const { by, bundle, options, place, names = all, isSplit = false } of places) {
  test(by, async () => {
    const found = {}
    for (const name of names) {
      const id = `${by}-${name}`.replace(/\W/g, '-')
      const [entry, out] = [join(folder, `${id}-entry.js`), join(folder, `${id}.mjs`)]
      const specifier = ['understudy-api', name].filter(Boolean).join('/')
      writeFileSync(entry, `import * as entry from '${specifier}'\nglobalThis.entry = entry\n`)
      await bundle(entry, out, options)
      found[name] = seen(out, name, place, isSplit)
    }

    assert.deepEqual(found, Object.fromEntries(names.map((name) => [name, expected[place](name)])))
  })
}

test('workerd, which runs what wrangler bundles', async () => {
  const found = {}
  for (const name of all) {
    const specifier = ['understudy-api', name].filter(Boolean).join('/')
    const contents = `
      const load = async () => {
        const entry = await import('${specifier}')
        await entry.startInBrowser?.()
        const response = await entry.createSimulator?.().fetch('/api/projects/')
        return \`loaded \${response?.status !== 404 && Object.keys(entry).length > 0}\\n\`
      }
      const say = ({ name, message }) => \`\${name} \${message}\`
      export default { fetch: async () => new Response(await load().catch(say)) }`
    const { outputFiles } = await esbuild.build({
      ...{ stdin: { contents, resolveDir: resolve('.') }, bundle: true, write: false },
      ...{ format: 'esm', conditions: ['workerd', 'worker', 'browser'], external: ['node:*'] },
    })
    const worker = new Miniflare({
      ...{ modules: true, script: outputFiles[0].text },
      ...{ compatibilityDate: '2026-04-01', compatibilityFlags: ['nodejs_compat'] },
    })
    const response = await worker.dispatchFetch('http://localhost/')
    found[name] = verdictOf(await response.text(), name)
    await worker.dispose()
  }

  assert.deepEqual(found, Object.fromEntries(all.map((name) => [name, expected.elsewhere(name)])))
})

test('in Jest, whose conditions have no `node`, an entry that can be required is CommonJS', () => {
  for (const places of [['browser'], ['react-native']]) {
    const { exports } = JSON.parse(readFileSync('node_modules/understudy-api/package.json', 'utf8'))
    for (const name of ['.', './node', './express']) {
      const found = resolveExports(exports[name], new Set([...places, 'require', 'default']))
      assert.match(found, /\.cjs$/)
    }
  }
})

function resolveExports(target, conditions) {
  if (typeof target === 'string') return target
  const name = Object.keys(target).find((condition) => conditions.has(condition))
  return resolveExports(target[name], conditions)
}

/** What happens when a bundle is loaded. */
function seen(bundle, name, place, isSplit) {
  const text = readFileSync(bundle, 'utf8')
  // Only a page can load these and what Parcel splits, and only Vitest its fixture.
  const isForPages = isSplit || !everywhere.includes(name)
  const isOfPage = place === 'page' && expected.page(name) === 'works' && isForPages
  if (isOfPage || (place === 'node' && name === 'vitest')) {
    return /Failed to load understudy|expected a page, got/.test(text) ? 'refused' : 'works'
  }
  const script = `
    const { default: process } = await import('node:process')
    await import(${JSON.stringify(bundle)}).catch(({ name, message }) => { console.log(name, message); process.exit() })
    if (${name === 'browser'}) await globalThis.entry.startInBrowser().catch(({ name, message }) => console.log(name, message))
    console.log('loaded', Object.keys(globalThis.entry).length > 0)`
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  return verdictOf(printed, name)
}

/** @param printed what the script of an entry says that loads it */
function verdictOf(printed, name) {
  if (printed.startsWith(`UsageError Failed to load understudy-api/${name}: expected Node`)) {
    return 'says what to use'
  }
  if (printed.startsWith('UsageError Failed to start in the browser: expected a page, got Node')) {
    return 'says that there is no page'
  }
  return printed === 'loaded true\n' ? 'works' : printed
}
