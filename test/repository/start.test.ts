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

test('npm start installs what its build imports, and what the bin and its pages contain', async () => {
  const { serverPackages } = await import(`${root}.tools/setup.mjs`)
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const code = ['start', 'setup', 'build', 'licences'].map((name) =>
    readFileSync(join(root, '.tools', `${name}.mjs`), 'utf8'),
  )
  const imported = code.flatMap((text) => [...text.matchAll(/^import .* from '([^.'][^']*)'/gm)])
  // The library and the file of the whole command line are built for a release.
  const bundles = metafiles.filter(({ outputs }) =>
    Object.keys(outputs).every((file) => /^dist\/(understudy[-.\w]*js|dashboard)/.test(file)),
  )
  const inputs = bundles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs)),
  )
  const used = inputs.map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? '')

  const needed = [...imported.map(([, name]) => name ?? ''), ...used]
  const own = [...new Set(needed)].filter((name) => name in devDependencies)
  expect(own.sort()).toEqual(serverPackages)
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
