import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/root.ts'

interface Output {
  readonly entryPoint?: string
  readonly inputs: Readonly<Record<string, unknown>>
  readonly imports: readonly { readonly path: string; readonly kind: string }[]
}
type Outputs = Readonly<Record<string, Output>>

const metafiles: readonly { readonly outputs: Outputs }[] = JSON.parse(
  readFileSync(join(root, 'dist', 'metafiles.json'), 'utf8'),
)

test('the start of serve loads nothing that only some requests or commands need', () => {
  const loaded = loadedWith(['src/cli.ts', 'src/cli/serve.ts'])

  // Each takes milliseconds: hashes, which tokens need, and the schemas of scenarios.
  expect(loaded).not.toContain('node:crypto')
  expect(loaded).not.toContain('src/scenarios/format/schema.ts')
  expect(loaded).toContain('node:fs')
  expect(loaded).toContain('src/server/listen.ts')
})

/** The files of src and the modules of Node that the bin imports statically with these files. */
function loadedWith(entryPoints: readonly string[]): string[] {
  const { outputs } = metafiles.find((metafile) => 'dist/understudy.cjs' in metafile.outputs) ?? {}
  const files = Object.entries(outputs ?? {})
    .filter(([, { entryPoint = '' }]) => entryPoints.includes(entryPoint))
    .map(([file]) => file)
  const loaded = new Set<string>(files)
  for (const file of loaded) {
    const { imports = [], inputs = {} } = outputs?.[file] ?? {}
    for (const { path, kind } of imports) if (kind === 'import-statement') loaded.add(path)
    for (const input of Object.keys(inputs)) loaded.add(input)
  }
  return [...loaded]
}
