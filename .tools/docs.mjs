// `npm run docs`: writes what is generated. Tests compare it: what a test compares with a file of its own, an outline, is
// written by `npm test -- --update`.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setUp } from './setup.mjs'

await setUp('nothing')
const { build } = await import('esbuild')

const root = fileURLToPath(new URL('..', import.meta.url))
// Node 20 reads no TypeScript. The bundle stands where its modules look for files beside them.
const bundle = join(root, '.tools', `documents.${process.pid}.mjs`)
try {
  await build({
    ...{ entryPoints: [join(root, '.tools', 'documents.mjs')], outfile: bundle, bundle: true },
    ...{ platform: 'node', format: 'esm', packages: 'external', logLevel: 'error' },
  })
  const { generated } = await import(bundle)
  for (const [name, write] of Object.entries(generated)) {
    const [before, after] = [readFileSync(join(root, name), 'utf8'), await write()]
    if (before === after) continue
    writeFileSync(join(root, name), after)
    console.log(`Written: ${name}`)
  }
} finally {
  rmSync(bundle, { force: true })
}
