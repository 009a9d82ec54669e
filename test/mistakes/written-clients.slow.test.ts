import { expect, test } from 'vitest'
import { goodClients } from './good-clients.table.ts'
import { alarmsOf } from './written-clients.ts'

test('among 1,010 rows, clients without a mistake have at most pages that they do not read', async () => {
  const alarms = await alarmsOf(goodClients, {}, 1_010)

  expect(alarms.filter((alarm) => !alarm.endsWith('unread-pages'))).toEqual([])
})
