// Libraries in one file each, which the bin and the library load on demand. Installed by itself, the SDK of the Model
// Context Protocol would take seven megabytes.
import { join } from 'node:path'
import { build } from 'esbuild'
import { without } from './without.mjs'

/** Files that export a library, without `.ts`. No other file imports it. */
export const libraries = ['server/mcp/sdk']

/** Bundles each library into the file that tsc wrote. @returns the metafile of esbuild */
export async function buildLibraries(root) {
  const { metafile } = await build({
    entryPoints: libraries.map((name) => join(root, 'src', `${name}.ts`)),
    outbase: join(root, 'src'),
    outdir: join(root, 'dist'),
    external: ['zod'],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    legalComments: 'none',
    metafile: true,
    absWorkingDir: root,
    plugins: [
      // The SDK checks answers of users with Ajv. This server asks users nothing.
      without(
        '.*/_shims',
        "export { default as process } from 'node:process'\nexport class DefaultJsonSchemaValidator {}",
      ),
    ],
    logLevel: 'warning',
  })
  return metafile
}
