// The factories' library with what it needs of others, in one file: installed by itself it would bring an msw 2 of its
// own beside an msw 3, and the handlers that it makes for it, which nobody asks.
import { join } from 'node:path'
import { build } from 'esbuild'

/** Parts of @mswjs/data that make handlers, and what only queries by dates and its own log are made of. */
const unused = /\/generate(Rest|GraphQL)Handlers$|^date-fns$/

/** Bundles what `library.ts` imports into the file that tsc wrote of it. @returns the metafile of esbuild */
export async function buildFactories(root) {
  const name = join('world', 'factories', 'library')
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
    plugins: [leftOut()],
    logLevel: 'warning',
  })
  return metafile
}

function leftOut() {
  return {
    name: 'left out',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: unused }, ({ path }) => ({ path, namespace: 'left out' }))
      onResolve({ filter: /^debug$/ }, ({ path }) => ({ path, namespace: 'silent' }))
      onLoad({ filter: /./, namespace: 'left out' }, () => ({ contents: '' }))
      onLoad({ filter: /./, namespace: 'silent' }, () => ({
        contents: 'exports.debug = () => () => {}',
      }))
    },
  }
}
