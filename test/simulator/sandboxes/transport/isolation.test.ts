import { test } from 'vitest'
import { expectIsolation } from '../../../support/isolation.ts'
import { start } from '../../../support/lanes/start.ts'

test('32 tests at once, each in its sandbox, never share a row over HTTP', async () => {
  await expectIsolation(await start())
}, 60_000)
