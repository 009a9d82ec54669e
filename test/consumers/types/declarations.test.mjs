// A package whose declarations are written: the types that its helpers return have names in the entries.
import assert from 'node:assert'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import { before, test } from 'node:test'

const names = ['', '/express', '/factories', '/node', '/playwright', '/browser']
const cases = [
  ['typescript-5.9', 'nodenext', 'nodenext'],
  ['typescript', 'nodenext', 'nodenext'],
  ['typescript', 'esnext', 'bundler'],
]

before(() => {
  // As pnpm installs it, where a project cannot name it.
  mkdirSync('node_modules/understudy-api/node_modules/@types', { recursive: true })
  const types = 'node_modules/@types/har-format'
  renameSync(types, `node_modules/understudy-api/${types}`)
})

test('the helpers have every export', async () => {
  const helpers = readFileSync('helpers.ts', 'utf8')
  const entries = await Promise.all(names.map((name) => import(`understudy-api${name}`)))
  const unused = entries.flatMap(Object.keys).filter((name) => !helpers.includes(name))
  assert.deepEqual(unused, [])
})

for (const [compiler, module, resolution] of cases) {
  test(`${compiler} writes declarations with moduleResolution ${resolution}`, () => {
    const tsc = `node_modules/${compiler}/bin/tsc`
    const args = ['--module', module, '--moduleResolution', resolution]
    const config = ['-p', 'tsconfig.declarations.json', '--outDir', `out/${compiler}-${resolution}`]
    const { stdout } = spawnSync(process.execPath, [tsc, ...config, ...args], { encoding: 'utf8' })
    assert.equal(stdout, '')
  })
}
