import { expect, test } from 'vitest'
import { start } from '../support/lanes/start.ts'
import { strangers } from './strangers.table.ts'

test.each(strangers)('$breaks: a client that $title', async ({ breaks, fault, settings, run }) => {
  const client = await start({ settings: settings ?? {} })
  if (fault) client.simulator.faults.add(fault)

  await run(client)

  const found = client.simulator.journal.mistakes().map(({ rule }) => rule)
  if (breaks === null) expect(found).toEqual([])
  else expect(found).toContain(breaks)
})
