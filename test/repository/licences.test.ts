import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/cli/command.ts'

interface Metafile {
  readonly outputs: Readonly<Record<string, { inputs: Record<string, { bytesInOutput: number }> }>>
}

// npm run build writes both.
const text = readFileSync(join(root, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8')
const metafiles: readonly Metafile[] = JSON.parse(
  readFileSync(join(root, 'dist', 'metafiles.json'), 'utf8'),
)
const [, ...sections] = text.split(`${'-'.repeat(80)}\n\n`)
const sectionOf = (name: string, version: string): string =>
  sections.find((section) => section.startsWith(`${name} ${version}, `)) ?? ''

/** The folders of packages that have code in a bundle. */
function bundledPackages(): string[] {
  const files = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([path, { bytesInOutput }]) => path.includes('node_modules') && bytesInOutput > 0)
  return [...new Set(files.map(([path]) => folderOf(join(root, path))))]
}

/** A package stands directly in a `node_modules`, or in a folder of it whose name begins with `@`. */
function folderOf(path: string): string {
  const parent = basename(dirname(path))
  return parent === 'node_modules' || parent.startsWith('@') ? path : folderOf(dirname(path))
}

test('the package has the whole licence of every package that a bundle contains', () => {
  const folders = bundledPackages()

  expect(folders.length).toBeGreaterThan(20)
  for (const folder of folders) {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file))
    const section = sectionOf(name, version)

    expect.soft(section.length, name).toBeGreaterThan(500)
    if (licence) expect.soft(section).toContain(readFileSync(join(folder, licence), 'utf8').trim())
  }
})

const permissive =
  /^(0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|ISC|MIT|PSF-2\.0|Python-2\.0)$/

test('every licence of bundled code is permissive', () => {
  const licences = sections.map((section) => /^\S+ \S+, ([^,\n]+)/.exec(section)?.[1] ?? '')

  expect(sections.length).toBeGreaterThan(20)
  expect(licences.filter((licence) => !permissive.test(licence))).toEqual([])
})
