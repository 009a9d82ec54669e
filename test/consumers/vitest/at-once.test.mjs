// understudy-api/vitest: a simulator for each test, also where tests run at once.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { it, test } from 'understudy-api/vitest'
import { describe, expect, vi } from 'vitest'

const annotations = 'https://app.example.com/api/projects/1/annotations/'
const countFor = async (caller) => (await (await fetch(annotations, caller)).json()).count

test.concurrent.for([0, 1, 2, 3])(
  'at the same time: %i',
  async (extra, { simulator, as, expect }) => {
    const row = { content: 'More', scope: 'project' }
    for (let made = 0; made < extra; made++) simulator.world.annotations.add(row)
    expect(await countFor(as('all'))).toBe(6 + extra)
    expect(simulator).toHaveReceived({ operation: 'listAnnotations', key: 'all', count: 1 })
  },
)

describe('a suite', () => {
  test.override({ simulatorOptions: { world: 'empty' } })

  it('begins otherwise', async ({ as }) => expect(await countFor(as('all'))).toBe(0))
})

test('a client in another process reaches the server', async ({ simulator, server, as }) => {
  const init = JSON.stringify({ headers: as('all').headers })
  const program = `fetch('${server.url}/api/projects/', ${init}).then(({ status }) => console.log(status))`
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program])

  expect(stdout).toBe('200\n')
  expect(simulator).toHaveReceived({ operation: 'listProjects', key: 'all', count: 1 })
})

test('a path below another prefix fails with a hint', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  await expect(fetch('https://app.example.com/v1/projects/')).rejects.toThrow()
  const [[hint]] = printed.mock.calls
  printed.mockRestore()

  expect(hint).toContain('Did you mean /api/projects/?')
})
