// Libraries in one file each, which the bin and the library load on demand. Installed by themselves, the SDK of the Model
// Context Protocol would take seven megabytes, and prom-client five.
import { join } from 'node:path'
import { build } from 'esbuild'
import { without } from './without.mjs'

const createRequire =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"

/** Files that export a library, without `.ts`. No other file imports it. */
export const libraries = ['server/mcp/sdk', 'server/prom-client']

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
    // prom-client is CommonJS, and requires modules of Node.
    banner: { js: createRequire },
    metafile: true,
    absWorkingDir: root,
    plugins: [
      // The SDK checks answers of users with Ajv. This server asks users nothing.
      without(
        '.*/_shims',
        "export { default as process } from 'node:process'\nexport class DefaultJsonSchemaValidator {}",
      ),
      // The traces of metrics' samples, which this server does not write.
      without('@opentelemetry/api'),
    ],
    logLevel: 'warning',
  })
  return metafile
}
