import { expect, onTestFinished, test } from 'vitest'
import { startReplica, startReplicas } from '../../support/replicas.ts'

test('a number that another replica holds is an error, and the first one goes on', async () => {
  const [first] = await startReplicas()
  const url = first.url.replace(/1$/, '{n}')

  await expect(startReplica({ number: 1, of: 3, url })).rejects.toThrow(
    `Replica 1 of 3 is already running at ${first.url}. Stop it, or start this one with another number in --replica.`,
  )
  expect(await first.remote.health()).toMatchObject({ replica: { number: 1 } })
})

test('a replica of another count is refused, because the keys would not say where they are', async () => {
  const [first] = await startReplicas()
  const url = first.url.replace(/1$/, '{n}')

  await expect(startReplica({ number: 4, of: 4, url })).rejects.toThrow(
    `Replica 1 of 3 is running at ${first.url}, and this one is 4 of 4. Give all replicas the same number after the slash in --replica.`,
  )
})

test('the event stream of all replicas has the entries of each, also after a restart', async () => {
  const [one, two] = await startReplicas()
  const seen: unknown[] = []
  const unavailable: number[] = []
  const stop = await one.remote.journal.follow(({ replica, id }) => seen.push([replica, id]), {
    replicas: 'all',
    onUnavailable: (number) => unavailable.push(number),
  })
  onTestFinished(stop)

  await two.ask('GET', '/api/projects/')
  await one.ask('GET', '/api/projects/')
  await expect.poll(() => seen.length).toBe(2)
  await two.close()
  await expect.poll(() => unavailable).toEqual([2])
  const restarted = await startReplica(
    { number: 2, of: 3, url: one.url.replace(/1$/, '{n}') },
    two.port,
  )
  await restarted.ask('GET', '/api/projects/')

  await expect.poll(() => seen.length).toBe(3)
  expect(seen).toEqual(
    expect.arrayContaining([
      [1, 1],
      [2, 1],
      [2, 1],
    ]),
  )
})
