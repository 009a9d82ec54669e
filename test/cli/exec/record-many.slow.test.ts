import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { shellClient } from '../../support/cli/shell-client.ts'
import { temporaryFolder } from '../../support/files.ts'

test('a recording has more requests than the journal of other runs keeps', async () => {
  const file = join(temporaryFolder(), 'run.json')
  const client = shellClient('for n in {1..1001}; do ask GET "$list"1/; done')

  const { code, stderr } = await run(['exec', '--record', file, ...client])

  expect([code, JSON.parse(readFileSync(file, 'utf8')).steps.length]).toEqual([0, 1_001])
  expect(stderr).not.toContain('dropped')
})
