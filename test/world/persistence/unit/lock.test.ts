import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { lockFile } from '../../../../src/world/persistence/lock-file.ts'
import { temporaryFolder } from '../../../support/files.ts'
import { contend, startContender } from '../../../support/lock.ts'

test('a paused process keeps its lock', async () => {
  const file = join(temporaryFolder(), 'state.json')
  const paused = await startContender(file)
  expect(await contend([paused])).toEqual(['owner'])
  paused.child.kill('SIGSTOP')

  await expect(lockFile(file)).rejects.toThrow(`process ${paused.child.pid} uses it`)
})

test('a process that starts at the same time is waited for', async () => {
  const file = join(temporaryFolder(), 'state.json')
  const unlock = await lockFile(file)
  const [own = ''] = readdirSync(`${file}.lock`)
  const starting = `${file}.lock/${own}`
  await unlock()
  mkdirSync(`${file}.lock`)
  writeFileSync(starting, '')
  const other = await startContender(file)

  let hasEnded = false
  const result = contend([other]).finally(() => (hasEnded = true))
  await setTimeout(100)
  const before = hasEnded
  rmSync(starting)

  expect([before, await result]).toEqual([false, ['owner']])
})
