import { expect, test, vi } from 'vitest'
import { Backlog } from '../../src/cli/recording/backlog.ts'
import { exchange } from '../support/exchange.ts'
import { recordBefore } from '../support/recording.ts'

const [first, second] = [exchange({ method: 'GET' }), exchange({ method: 'POST' })]

test('of two exchanges the earlier is told when the later comes, and that one a little later', async () => {
  const told: unknown[] = []
  const backlog = new Backlog((one) => told.push(one))

  backlog.put(first)
  const before = [...told]
  backlog.put(second)
  const between = [...told]
  await vi.waitFor(() => expect(told).toHaveLength(2))

  expect([before, between, told]).toEqual([[], [first], [first, second]])
})

test('what was asked right before the proxy ends is told by then', async () => {
  const { url, exchanges, close } = await recordBefore((_, answer) => void answer.end('{}'))
  await (await fetch(`${url}/api/projects/`)).text()

  await close()

  expect(exchanges.map(({ method }) => method)).toEqual(['GET'])
})
