import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { root } from '../support/root.ts'

const dist = join(root, 'dist')

test('the package has the declarations that an exported type needs, and no others', () => {
  const declarations = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.d.ts'))

  const needed = new Set(exportedTypes())
  for (const file of needed) for (const imported of importsOf(file)) needed.add(imported)

  expect(declarations.sort()).toEqual([...needed].sort())
})

test('each exported file is in the package', () => {
  const { exports, files } = packageJson
  const exported = Object.values(exports).filter((entry) => typeof entry === 'string')
  const isPacked = (file: string) =>
    files.some(
      (name) => file.startsWith(`./${name}`) || posix.dirname(file) === `./${posix.dirname(name)}`,
    )

  expect(exported.filter((file) => file !== './package.json' && !isPacked(file))).toEqual([])
})

function exportedTypes(): string[] {
  return Object.values(packageJson.exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [posix.relative('dist', fileOf(entry))],
  )
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(dist, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  return [...text.matchAll(/(?:from|import\(?)\s*['"](\.[^'"]+)\.[jt]s['"]/g)].map(
    ([, path = '']) => `${posix.join(posix.dirname(file), path)}.d.ts`,
  )
}

function fileOf({ types }: { readonly types: string | { readonly default: string } }): string {
  return typeof types === 'string' ? types : types.default
}
