// The factories' library with what it needs of others, in one file: installed by itself it would bring an msw 2 of its
// own beside an msw 3, and the handlers that it makes for it, which nobody asks.
import { join } from 'node:path'
import { build } from 'esbuild'
import { without } from './without.mjs'

/** Bundles `database.ts` with what it imports into the file that tsc wrote of it. @returns the metafile of esbuild */
export async function buildFactories(root) {
  const name = join('world', 'factories', 'database')
  const outfile = join(root, 'dist', `${name}.js`)
  const { metafile } = await build({
    entryPoints: [join(root, 'src', `${name}.ts`)],
    outfile,
    external: ['@faker-js/faker'],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2023',
    legalComments: 'none',
    metafile: true,
    absWorkingDir: root,
    plugins: [
      without('.*/generate(Rest|GraphQL)Handlers'),
      // Would open a BroadcastChannel for each database, so that a Node process with jsdom would not end.
      without('./extensions/sync', 'exports.sync = () => {}'),
      // Only for queries by dates.
      without('date-fns'),
      without('debug', 'exports.debug = () => () => {}'),
      // One of its functions, of which the others are four fifths of the file.
      without('lodash', "exports.isFunction = require('lodash/isFunction')"),
    ],
    logLevel: 'warning',
  })
  return metafile
}
