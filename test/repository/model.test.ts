import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/root.ts'

const folder = join(root, 'test/model')

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
)

/** The modules that a file imports, types included, but for the API's document and its errors, which are typed by hand. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(folder, file), 'utf8')
  const names = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    ([, name = '']) => name,
  )
  return names.filter((name) => !/^(\.\.\/)+support\/api\/(document|errors)\.ts$/.test(name))
}

test('only the driver of the model imports src, so that the model stays independent', () => {
  const importing = files.filter((file) =>
    importsOf(file).some((name) => /src\/|dist\/|^understudy-api|^\.\.\/\.\.\/support/.test(name)),
  )
  expect(importing).toEqual(['driver.ts'])
})

test('the rules and the state of the model import no package, and nothing outside of the model', () => {
  const pure = files.filter((file) => file.startsWith('rules/') || file === 'model.ts')
  const others = pure.flatMap((file) =>
    importsOf(file).filter((name) => !/^\.\.?\/[\w/-]+\.ts$/.test(name) || name.includes('driver')),
  )
  expect(pure.length).toBeGreaterThan(8)
  expect(others).toEqual([])
})
