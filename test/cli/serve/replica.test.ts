import { expect, test } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { startServe } from '../../support/cli/serve.ts'

const expected =
  'expected the number of this replica and the number of all replicas, such as 2/4, got'

test.each(['0/4', '5/4', 'a', '2', '2/', '02/4'])('--replica %s ends with 2', async (value) => {
  const { code, stderr } = await run(['serve', '--replica', value])

  expect([code, stderr]).toEqual([
    2,
    `Failed to read --replica (or UNDERSTUDY_REPLICA): ${expected} "${value}".\n`,
  ])
})

test.each(['http://localhost:4010', 'understudy-{n}:4010', 'http://understudy-{n}:4010/api'])(
  '--replica-url %s ends with 2',
  async (value) => {
    const { code, stderr } = await run(['serve', '--replica', '2/4', '--replica-url', value])

    expect([code, stderr]).toEqual([
      2,
      `Failed to read --replica-url (or UNDERSTUDY_REPLICA_URL): expected the origin of the replicas with {n} for their number, such as http://understudy-{n}:4010, got "${value}".\n`,
    ])
  },
)

test('--replica-url without --replica ends with 2', async () => {
  const { code, stderr } = await run(['serve', '--replica-url', 'http://understudy-{n}:4010'])

  expect([code, stderr]).toEqual([2, '--replica-url requires --replica.\n'])
})

test('a replica says which one it is, and issues other keys in each run without --seed', async () => {
  const variables = { UNDERSTUDY_REPLICA: '2/4' }
  const { control, printed } = await startServe([], variables)
  const seeded = await startServe(['--seed', '1', '--json'], variables)

  const { body } = await control('POST', '/__admin/sandboxes', { body: {} })
  const other = await seeded.control('POST', '/__admin/sandboxes', { body: {} })

  expect(printed().stdout).toContain(
    ' is serving world "default", profile "documented" as replica 2 of 4.\n',
  )
  expect(JSON.parse(seeded.printed().stdout)).toMatchObject({ replica: '2/4' })
  expect(body).toMatchObject({ id: expect.stringMatching(/^r2-[a-z\d]{8}-sandbox-1$/) })
  expect(other.body).toMatchObject({ id: 'r2-sandbox-1' })
})
