import { expect, test } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { startServe } from '../../support/cli/serve.ts'
import { temporaryFile } from '../../support/files.ts'

/** A scenario that names no world, of the number of annotations. */
function countFile(count: number): string {
  const path = '/api/projects/1/annotations/'
  const step = { as: 'all', method: 'GET', path, expect: { body: { count } } }
  return temporaryFile({ title: 'Count', steps: [step] })
}

test('a file without a world is replayed in default, and a difference says so', async () => {
  const file = countFile(0)

  const replayed = await run(['replay', file])

  expect(replayed.code).toBe(1)
  expect(replayed.stdout).toContain(
    `0 of 1 steps passed, 1 failed.\n  ${file} names no world; replayed in "default". Use --world NAME if it started with another one.\n`,
  )
  expect((await run(['replay', countFile(6)])).stdout).not.toContain('names no world')
})

test('--world names a fixture or a file, for files that name no world', async () => {
  const { url } = await startServe()

  expect(await run(['replay', countFile(0), '--world', 'empty'])).toMatchObject({ code: 0 })
  expect(await run(['replay', countFile(0), '--world', 'empty', '--target', url])).toMatchObject({
    code: 0,
  })
  expect((await run(['replay', countFile(6), '--world', 'empty'])).stdout).toContain(
    'replayed in "empty"',
  )
  expect(await run(['replay', countFile(6), '--world', 'emtpy'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean empty?'),
  })
})
