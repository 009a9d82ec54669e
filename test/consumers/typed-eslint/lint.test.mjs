// Tests as people write them, under the strictest rules of typescript-eslint.
import assert from 'node:assert'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

for (const command of ['tsc', 'eslint .']) {
  test(`${command} finds no problem`, () => {
    const { stdout, stderr } = spawnSync('npx', command.split(' '), { encoding: 'utf8' })
    assert.equal(stdout + stderr, '')
  })
}
