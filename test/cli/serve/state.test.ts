import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { annotationsPath as list } from '../../support/api/paths.ts'
import { startServe } from '../../support/cli/serve.ts'
import { temporaryFolder } from '../../support/files.ts'

test('the state starts with --world, to which reset returns even after a restart', async () => {
  const file = join(temporaryFolder(), 'state.json')
  const args = ['--state', file, '--world', 'empty']
  const first = await startServe(args)
  await first.ask('POST', list, { body: {} })
  await first.stop('SIGINT')

  const second = await startServe(args)
  const restarted = await second.ask('GET', list)
  await second.ask('POST', '/__admin/reset')
  const reset = await second.ask('GET', list)
  await second.stop('SIGINT')
  const third = await (await startServe(args)).ask('GET', list)

  expect(first.printed().stdout).toContain(`\nChanges are saved in ${file}.\n`)
  expect(second.printed().stdout).toContain(
    `is serving the world of ${file}, profile "documented".\nChanges are saved there. A reset returns to world "empty".\n`,
  )
  expect([restarted, reset, third].map(({ body }) => (body as { count: number }).count)).toEqual([
    1, 0, 0,
  ])
})

test('serve ends with 1 if the last changes could not be saved', async () => {
  const folder = join(temporaryFolder(), 'inner')
  mkdirSync(folder)
  const file = join(folder, 'state.json')
  const serving = await startServe(['--quiet', '--state', file])

  rmSync(folder, { recursive: true })
  await serving.ask('POST', list, { body: {} })
  const { code, stderr } = await serving.stop('SIGTERM')

  expect([code, stderr.split('\n')]).toEqual([
    1,
    [
      expect.stringMatching(/^Failed to save .*: its folder does not exist \(ENOENT\)\. .*\.$/),
      `The last changes were not saved to ${file}.`,
      '',
    ],
  ])
})
