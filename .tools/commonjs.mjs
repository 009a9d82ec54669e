// Bundles entries for the `require` of Jest, which cannot load ES modules. That of Node can, and gets these, by the condition
// `module-sync` of package.json, so that a process of Node never has two copies.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { describeFile, replace } from './library.mjs'

/** What has CommonJS. The other dependencies are bundled. */
const external = /^(node:.+|express)$/

const faker = '@faker-js/faker/locale/en'
const ofFaker = `
  try { module.exports = require('own:${faker}') } catch (cause) {
    throw new Error('Failed to generate rows: Jest cannot load @faker-js/faker, which has ES modules only. Set transformIgnorePatterns: ["/node_modules/(?!@faker-js/)"] and a transform for .js files, use a world without generate, or run npx understudy-api exec -- npx jest', { cause })
  }`

/**
 * The msw of the project if Jest can load it, so that handlers are of its classes. It cannot without a transform, since msw 2
 * requires packages in ES modules, and msw 3 is one: then a copy.
 */
const ownOrCopy = (path) => `
  let isOwn = true
  try { require('own:msw/node') } catch { isOwn = false }
  module.exports = isOwn ? require('own:${path}') : require('copy:${path}')`

const msw = {
  name: 'msw',
  resolveId(specifier) {
    const [, from, path] = /^(own|copy):(.+)$/.exec(specifier) ?? []
    if (from === 'own') return { id: path, external: true }
    return from === 'copy' ? fileURLToPath(import.meta.resolve(path)) : null
  },
}

/**
 * @param {object} options
 * @param {string} options.src the folder of the sources
 * @param {string} options.dist the folder of the bundle
 * @param {string[]} options.entries the modules of `src` that can be required
 * @param {object} options.replaced modules of packages, by the source of a regular expression, that are bundled otherwise
 * @returns a metafile, as esbuild has it
 */
export async function bundleCommonJs({ src, dist, entries, replaced }) {
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, join(src, `${name}.ts`)])),
    external,
    platform: 'node',
    tsconfig: join(src, '..', 'tsconfig.json'),
    plugins: [
      msw,
      replace(
        {
          ...replaced,
          [faker]: ofFaker,
          // For the handlers of GraphQL and of server-sent events, which only an msw of the project could make.
          graphql: 'module.exports = {}',
          '.+/GraphQLHandler.mjs': 'exports.GraphQLHandler = class {}',
          '.+/(?:graphql|sse).mjs': '',
          '.+/attachWebSocketLogger.mjs': 'exports.attachWebSocketLogger = () => {}',
          // Of MSW's store of cookies: its list of the public suffixes of the world is an eighth of the bundle.
          tldts: "exports.getDomain = (host) => host.split('.').slice(-2).join('.')",
          msw: ownOrCopy('msw'),
          'msw/node': ownOrCopy('msw/node'),
        },
        src,
      ),
    ],
    onLog: (level, log, print) => log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT' && print(level, log),
  })
  const { output } = await bundle.write({
    dir: dist,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'commonjs/[name].cjs',
    comments: { jsdoc: false },
    minify: true,
  })
  for (const { isEntry, name, exports } of output) {
    if (isEntry) writeFileSync(join(dist, `${name}.d.cts`), declarationsOf(name, exports))
  }
  return { outputs: Object.fromEntries(output.map((file) => describeFile(file, join(src, '..')))) }
}

/** The types of an entry in CommonJS: those of its ES module. */
function declarationsOf(name, exports) {
  const from = `from './${name}.js' with { 'resolution-mode': 'import' }`
  const values = exports.flatMap((value) => [
    `export declare const ${value}: typeof entry.${value}`,
    // A class is a type, too.
    ...(/^[A-Z]/.test(value) ? [`export type ${value} = entry.${value}`] : []),
  ])
  return [`import type * as entry ${from}`, `export type * ${from}`, ...values, ''].join('\n')
}
