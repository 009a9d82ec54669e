import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandNames } from '../../src/cli/program.ts'
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
const { outputs = {} } =
  metafiles.find((metafile) => 'dist/understudy.js' in metafile.outputs) ?? {}

test('the start of serve loads nothing that only some requests or commands need', () => {
  const loaded = loadedWith(['src/cli.ts', 'src/cli/serve.ts'])

  // Each takes milliseconds: hashes, which tokens need, and the schemas of scenarios.
  expect(loaded).not.toContain('node:crypto')
  expect(loaded).not.toContain('src/scenarios/format/schema.ts')
  expect(loaded).toContain('node:fs')
  expect(loaded).toContain('src/server/listen.ts')
})

test('--version loads no command', () => {
  const loaded = loadedWith(['src/cli.ts'])

  const files = commandNames.map((name) => `src/cli/${name}.ts`)
  expect(loaded).toContain('src/cli/program.ts')
  expect(files.filter((file) => loaded.includes(file))).toEqual([])
})

/** The files of src and the modules of Node that the bin imports statically with these files. */
function loadedWith(entryPoints: readonly string[]): string[] {
  const loaded = new Set(entryPoints.map(outputOf))
  for (const file of loaded) {
    const { imports = [], inputs = {} } = outputs[file] ?? {}
    for (const { path, kind } of imports) if (kind === 'import-statement') loaded.add(path)
    for (const input of Object.keys(inputs)) loaded.add(input)
  }
  return [...loaded]
}

/** The file of the bin that a file of src begins. */
function outputOf(source: string): string {
  const [file] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source) ?? []
  if (file === undefined) throw new Error(`The bin has no file of ${source}.`)
  return file
}
