// The bundle of an app runs here in Node: a device has the same globals, and an engine of its own.
import assert from 'node:assert'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { runInThisContext } from 'node:vm'

test('requests of an app are answered', async () => {
  runInThisContext(readFileSync('out.js', 'utf8'))

  assert.equal(await globalThis.countAnnotations(), 6)
})
