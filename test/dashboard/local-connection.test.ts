import { expect, test } from 'vitest'
import { createRemote } from '../../src/admin/connect.ts'
import { Connection } from '../../src/admin/connection.ts'
import { LocalConnection } from '../../src/dashboard/local-connection.ts'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { operations } from '../admin/examples.ts'
import { noon } from '../support/api/paths.ts'
import { serve } from '../support/forwarding.ts'

/** A page has no scenarios, which are files, and follows the journal until it is closed. */
const compared = operations.filter(({ line }) => !/scenarios|events|runs/.test(line))

test.each(compared)(
  '$line does the same in the process as over HTTP',
  async ({ example, line, path }) => {
    const simulators = [createSimulator({ clock: noon }), createSimulator({ clock: noon })] as const
    const { url } = await serve({}, simulators[0])
    for (const simulator of simulators) await example.arrange?.(simulator)
    const { params = {}, query = '', body } = example
    const input = {
      params: [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => params[name] ?? '1'),
      query: Object.fromEntries(new URLSearchParams(query)),
      ...(body !== undefined && { body }),
    }
    const typed = Object.fromEntries(
      Object.entries(input.query).map(([name, text]) => [
        name,
        /^(\d+|true|false)$/.test(text) ? JSON.parse(text) : text,
      ]),
    )

    const sent = await resultOf(new Connection(url, undefined), line, input)
    const local = await resultOf(new LocalConnection(simulators[1], url), line, {
      ...input,
      query: typed,
    })

    expect(local).toEqual(sent)
  },
)

async function resultOf(connection: Connection, line: string, input: object): Promise<unknown> {
  const result = await connection.call(line as 'GET /world', input).catch((error) => {
    const { status, message, field } = error
    return { status, message, field }
  })
  // Two requests never take the same time, and a clock that ticks goes on between them.
  const text = JSON.stringify(result ?? null)
    .replace(/"(ms|time|wait)":[\d.]+/g, '"$1":0')
    .replace(/("(?:now|expires_at)":"[^"]+:\d\d):[\d.]+Z/g, '$1')
  return JSON.parse(text)
}

test('a sandbox is reached by its URL, new entries arrive one by one, and a page can load each fixture', async () => {
  const simulator = createSimulator()
  const remote = createRemote(new LocalConnection(simulator, 'http://shop.test'))
  const { remote: sandbox, url } = await remote.sandboxes.create({ from: 'odd' })
  await simulator.fetch(`${url}/api/nowhere/`)

  const followed = new Promise((resolve) =>
    sandbox.journal.follow(({ path }) => resolve(path), { after: 0 }),
  )
  const replaced = await remote.world.replace('crowded')

  expect(url).toBe('http://shop.test/__sandbox/sandbox-1')
  expect(await followed).toBe('/__sandbox/sandbox-1/api/nowhere/')
  expect(replaced.annotations).toBeGreaterThan(1_000)
  expect(await remote.journal.get(9)).toBeUndefined()
  await expect(remote.faults.add({ preset: 'nope' } as never)).rejects.toMatchObject({
    status: 400,
    field: 'preset',
  })
})
