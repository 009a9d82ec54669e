// Bundles the library into few ES modules: a runner of tests loads each of them again for each test file. They are not
// minified, since people step into them, but for the dashboard, what generates rows, and fixtures.
import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { buildSync, transform } from 'esbuild'
import { rolldown } from 'rolldown'
import { mswStart, receiveMsw, writeMswParts } from './msw-parts.mjs'

/** What users install. `msw` must be theirs, since they compare its classes. */
const external =
  /^(node:.+|(msw|vitest|@playwright\/test|express|httpxy|@faker-js\/faker|@remix-run\/node-fetch-server)(\/.+)?)$/

const ofTests = ['fixtures', 'kept-fetch', 'matchers'].map((name) => `integrations/testing/${name}`)
const interception = 'integrations/testing/interception'

/** Files of modules that load together: each has all that its modules import, but for what an earlier one has. */
const groups = [
  // A page loads this at its start, and its simulator on demand.
  { name: 'start', modules: ['browser'] },
  // A page that controls a server needs no simulator.
  { name: 'connect', modules: ['admin/connect'] },
  { name: 'simulator', modules: ['integrations/browser/page-simulator'] },
  // What records and replays. A simulator loads it on demand.
  { name: 'scenarios', modules: ['index'] },
  // What both tests and pages need besides. A page must find nothing of Node in it.
  { name: 'reports', modules: [...ofTests, interception], isForPages: true },
  { name: 'testing', modules: ofTests },
  // With the interceptors of MSW, which `understudy-api/node` loads on demand.
  { name: 'interception', modules: [interception] },
]

/**
 * @param {object} options
 * @param {string} options.src the folder of the sources
 * @param {string} options.dist the folder of the bundle
 * @param {string[]} options.entries the modules of `src` that the package exports
 * @param {object} options.inPage an entry, the name of its copy for pages, and what that copy has in place of modules
 * @param {object} options.replaced modules of packages, by the source of a regular expression, that are bundled otherwise
 * @returns a metafile, as esbuild has it
 */
export async function bundleLibrary({ src, dist, entries, inPage, replaced }) {
  const fileOf = (name) => join(src, `${name}.ts`)
  const input = Object.fromEntries(entries.map((name) => [name, fileOf(name)]))
  const groupOf = new Map()
  const bundle = await rolldown({
    input: {
      ...input,
      [inPage.name]: fileOf(inPage.entry) + ofPages,
    },
    external,
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'], conditionNames: ['import', 'require', 'default'] },
    tsconfig: join(src, '..', 'tsconfig.json'),
    plugins: [
      receiveMsw(src),
      copyForPages(src, inPage.replaced),
      replace(replaced, src),
      styles,
      minifyLarge,
      assign(groupOf, fileOf),
    ],
    onLog: (level, log, print) => log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT' && print(level, log),
  })
  const { output } = await bundle.write({
    dir: dist,
    format: 'esm',
    banner: mswStart,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    // Docstrings stand in the declarations, where editors read them.
    comments: { jsdoc: false },
    codeSplitting: {
      groups: groups.map(({ name }, index) => ({
        name,
        test: (id) => groupOf.get(id) === name,
        priority: groups.length - index,
      })),
    },
  })
  writeMswParts(dist)
  return { outputs: Object.fromEntries(output.map((file) => describeFile(file, join(src, '..')))) }
}

/** A file of the bundle, as esbuild describes it. */
export function describeFile(
  { fileName, facadeModuleId, modules = {}, exports = [], imports = [], dynamicImports = [] },
  root,
) {
  const nameOf = (id) => relative(root, id).replaceAll('\\', '/')
  const toImports = (paths, kind) =>
    paths.map((path) => ({
      path: path.endsWith('.js') && !external.test(path) ? `dist/${path}` : path,
      kind,
    }))
  const inputs = Object.entries(modules).map(([id, { renderedLength }]) => [
    nameOf(id),
    { bytesInOutput: renderedLength },
  ])
  return [
    `dist/${fileName}`,
    {
      ...(facadeModuleId && { entryPoint: nameOf(facadeModuleId) }),
      inputs: Object.fromEntries(inputs),
      exports,
      imports: [
        ...toImports(imports, 'import-statement'),
        ...toImports(dynamicImports, 'dynamic-import'),
      ],
    },
  ]
}

/** Marks the copy of a module that runs in a page. */
const ofPages = '?page'

/** Copies the modules of test runners for pages, without what needs Node. Both copies share all other modules. */
function copyForPages(src, replaced) {
  const copied = ['vitest.ts', 'integrations/testing/', 'integrations/vitest/']
  return {
    name: 'copy for pages',
    resolveId(specifier, importer = '') {
      if (!importer.endsWith(ofPages) || !specifier.startsWith('.')) return null
      const name = relative(src, resolve(dirname(importer), specifier)).replaceAll('\\', '/')
      const inPage = replaced[name.replace(/\.ts$/, '')]
      if (inPage) return join(src, `${inPage}.ts`) + ofPages
      return join(src, name) + (copied.some((start) => name.startsWith(start)) ? ofPages : '')
    },
    load(id) {
      if (!id.endsWith(ofPages)) return null
      return { code: readFileSync(id.slice(0, -ofPages.length), 'utf8'), moduleType: 'ts' }
    },
  }
}

/** Replaces modules of packages, by the source of a regular expression, by their code in CommonJS. */
export function replace(modules, root) {
  const patterns = Object.keys(modules).map((source) => [source, new RegExp(`^${source}$`)])
  return {
    name: 'replace',
    resolveId(specifier) {
      const [source] = patterns.find(([, pattern]) => pattern.test(specifier)) ?? []
      // Looks like a file of the project, so that it can import packages.
      return source === undefined ? null : join(root, `replaced:${source}.cjs`)
    },
    load(id) {
      const source = /replaced:(.*)\.cjs$/.exec(id)?.[1]
      return source === undefined ? null : { code: modules[source], moduleType: 'js' }
    },
  }
}

/** A style sheet that is imported as a text. */
const styles = {
  name: 'styles',
  load(id) {
    if (!id.endsWith('.css')) return null
    const { outputFiles } = buildSync({
      entryPoints: [id],
      bundle: true,
      minify: true,
      write: false,
    })
    return { code: `export default ${JSON.stringify(outputFiles[0].text)}`, moduleType: 'js' }
  },
}

/** The chunks that are mostly code of packages, as of the panel and of `@mswjs/data`, and fixtures. */
const minified = ['in-page', 'factories', 'odd', 'crowded']

const minifyLarge = {
  name: 'minify large chunks',
  async renderChunk(code, { name }) {
    if (!minified.includes(name)) return null
    return (await transform(code, { minify: true, legalComments: 'none', target: 'es2022' })).code
  },
}

/** Finds the group of each module when all are known. */
function assign(groupOf, fileOf) {
  return {
    name: 'assign groups',
    buildEnd() {
      const reached = (modules, isOnDemand) => {
        const files = new Set(modules.map(fileOf))
        for (const file of files) {
          const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(file) ?? {}
          for (const id of [...importedIds, ...(isOnDemand ? dynamicallyImportedIds : [])])
            files.add(id)
        }
        return files
      }
      const inPages = reached(['browser', 'index'], true)
      for (const { name, modules, isForPages = false } of groups) {
        for (const id of reached(modules, false)) {
          if (!groupOf.has(id) && (!isForPages || inPages.has(id))) groupOf.set(id, name)
        }
      }
      // An entry exports what its users need, and nothing else. Only a page can load msw/browser, and needs the version of msw.
      const inPage = ['start-in-browser', 'page-simulator'].map(
        (name) => `integrations/browser/${name}`,
      )
      const alone = ['browser', 'index', ...inPage]
      for (const module of alone) groupOf.delete(fileOf(module))
    },
  }
}
