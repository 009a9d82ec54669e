// Imports a module of src that the package does not contain, so that the build does not write it.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** @param {string} path below `src` @returns the exports of the module */
export async function importSource(path) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../src/${path}`, import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    // For the CommonJS packages that it bundles.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire('/')",
    },
    write: false,
  })
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`)
}
