import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { nodeClient } from '../../support/cli/node-client.ts'
import { temporaryFolder } from '../../support/files.ts'

test('a recording has more requests than the journal of other runs keeps', async () => {
  const file = join(temporaryFolder(), 'run.json')
  const client = nodeClient(`
    const ask100 = () => Promise.all(Array.from({ length: 100 }, () => ask('GET', list + '1/')))
    for (let n = 0; n < 11; n++) await ask100()`)

  const { code, stderr } = await run(['exec', '--record', file, ...client])

  expect([code, JSON.parse(readFileSync(file, 'utf8')).steps.length]).toEqual([0, 1_100])
  expect(stderr).not.toContain('dropped')
})
