import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/root.ts'

const folder = join(root, 'test/bench')
const imports = readdirSync(folder)
  .filter((file) => file.endsWith('.mjs'))
  .flatMap((file) =>
    [
      ...readFileSync(join(folder, file), 'utf8').matchAll(
        /import \{ (.*) \} from '\.\.\/\.\.\/dist\/(.*)\.js'/g,
      ),
    ].map(([, names = '', module = '']) => ({ file, names: names.split(', '), module })),
  )

test.each(imports)('$file can import $names from $module', async ({ names, module }) => {
  const exported = await import(join(root, 'src', `${module}.ts`))

  expect(Object.keys(exported)).toEqual(expect.arrayContaining(names))
})
