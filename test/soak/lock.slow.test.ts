import { once } from 'node:events'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { temporaryFolder } from '../support/files.ts'
import { type Contender, contend, startContender } from '../support/lock.ts'

// npm run long -- test/soak/lock
const rounds = inject('isLong') ? 1_000 : 30

test('of six processes that start at once after a kill -9, one gets the lock', async () => {
  const file = join(temporaryFolder(), 'state.json')
  const contenders = await Promise.all(Array.from({ length: 6 }, () => startContender(file)))
  const named: boolean[] = []

  for (let round = 0; round < rounds; round++) {
    const results = await contend(contenders)
    const index = results.indexOf('owner')
    const owner = (contenders[index] as Contender).child
    const refusals = results.filter((result) => result !== 'owner')
    named.push(refusals.every((message) => message.includes(`process ${owner.pid} uses it`)))
    expect(refusals).toHaveLength(5)
    owner.kill('SIGKILL')
    const next = startContender(file)
    await once(owner, 'exit')
    contenders[index] = await next
  }

  expect(named).toEqual(Array(rounds).fill(true))
})
