import { expect, test } from 'vitest'
import { goodClients } from './good-clients.table.ts'
import { alarmsOf } from './written-clients.ts'

test('among 1,010 rows, clients without a mistake have at most pages that they do not read', async () => {
  const deleteAll = /^(?:empties|reads everything|deletes in reverse)/
  const clients = Object.entries(goodClients).filter(([name]) => !deleteAll.test(name))

  const alarms = await alarmsOf(Object.fromEntries(clients), {}, 1_010)

  expect(alarms.filter((alarm) => !alarm.endsWith('unread-pages'))).toEqual([])
})
