import { expect, test } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { startServe } from '../../support/cli/serve.ts'
import { freePorts } from '../../support/free-port.ts'

test('a replica ends as soon as another one listens at the URL of its number', async () => {
  const [first = 0, second = 0] = await freePorts(2)
  const url = `http://127.0.0.1:${String(first).slice(0, -1)}{n}`
  const flags = ['--replica', '1/2', '--replica-url', url, '--port']
  const elsewhere = run(['serve', ...flags, String(second)])
  const isServing = () => fetch(`http://127.0.0.1:${second}`).then(({ ok }) => ok)
  await expect.poll(() => isServing().catch(() => false)).toBe(true)
  const { control } = await startServe([...flags, String(first)])

  const { code, stderr } = await elsewhere

  expect([code, stderr]).toEqual([
    2,
    `Replica 1 of 2 is already running at http://127.0.0.1:${first}. Stop it, or start this one with another number in --replica.\n`,
  ])
  expect((await control('GET', '/__admin/health')).status).toBe(200)
})

test('a replica that cannot be reached at its URL prints a warning', async () => {
  const [first = 0, , third = 0] = await freePorts(3)
  const url = `http://127.0.0.1:${String(first).slice(0, -1)}{n}`
  const flags = ['--replica', '1/2', '--replica-url', url, '--port', String(third)]

  const { printed } = await startServe(flags)

  await expect
    .poll(() => printed().stderr)
    .toBe(
      `Replica 1 does not respond at http://127.0.0.1:${first}, where the other replicas look for it. Check --replica-url.\n`,
    )
})
