import assert from 'node:assert'
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { createSimulator } from 'understudy-api'

before(() => {
  // As `curl http://127.0.0.1:4010/__admin/world > saved.json` writes it.
  writeFileSync('saved.json', JSON.stringify(createSimulator().world.toJSON()))
  // A dependency of another package.
  rmSync('node_modules/@types/node', { recursive: true, force: true })
})

for (const [compiler, flag] of [
  ['typescript-5.9', 'true'],
  ['typescript', 'true'],
  ['typescript', 'false'],
]) {
  test(`${compiler}, exactOptionalPropertyTypes ${flag}`, () => {
    const tsc = `node_modules/${compiler}/bin/tsc`
    const args = [tsc, '-p', '.', '--exactOptionalPropertyTypes', flag]
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.equal(stdout, '')
  })
}
