import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { persistInFile } from '../../../src/node.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { temporaryFolder } from '../../support/files.ts'

test('a lock of another machine counts as long as it is touched', async () => {
  const file = join(temporaryFolder(), 'state.json')
  const lock = `${file}.lock`
  writeFileSync(lock, '1 elsewhere')
  const timer = setInterval(() => utimesSync(lock, Date.now() / 1000, Date.now() / 1000), 500)
  onTestFinished(() => clearInterval(timer))

  await expect(persistInFile(createSimulator(), file)).rejects.toThrow(
    `The state file ${file} is used by another server: process 1 on elsewhere. Stop it, or choose another file.`,
  )

  clearInterval(timer)
  await (await persistInFile(createSimulator(), file)).close()
})
