import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { connect, createSimulator, replayAt } from '../../../src/index.ts'
import { listen } from '../../../src/node.ts'
import { isBlockedPort } from '../../../src/server/bind.ts'

/** Whether fetch refuses a port. Its connections end here, before a socket opens. */
async function isRefusedByFetch(port: number): Promise<boolean> {
  const dispatcher = {
    dispatch() {
      throw new Error('not sent')
    },
  }
  const init = { dispatcher } as unknown as RequestInit
  const error: Error = await fetch(`http://127.0.0.1:${port}/`, init).then(String, (cause) => cause)
  return (error.cause as Error).message === 'bad port'
}

test('the ports that the server refuses are those that fetch refuses', async () => {
  const ports = Array.from({ length: 10_200 }, (_, index) => index + 1)
  const refused: number[] = []

  for (const port of ports) if (await isRefusedByFetch(port)) refused.push(port)

  expect(ports.filter(isBlockedPort)).toEqual(refused)
  expect(refused.length).toBeGreaterThan(80)
})

test.each([
  [6000, /^Browsers and fetch refuse to connect to port 6000\. .* such as (\d+)\.$/],
  [6665, /^Browsers and fetch refuse to connect to port 6665\. .* such as (\d+)\.$/],
  [22, /^Browsers and fetch refuse to connect to port 22\. .* such as (\d+)\.$/],
])('listen refuses port %i, and names a free one', async (port, expected) => {
  const error: Error = await listen(createSimulator(), { port }).then(String, (cause) => cause)
  const [, free] = expected.exec(error.message) ?? []

  const server = await listen(createSimulator(), { port: Number(free) })
  onTestFinished(() => server.close())

  expect(error).toMatchObject({ name: 'UsageError', field: 'port' })
  expect(await connect(server.url).health()).toMatchObject({ status: 'ready' })
})

test('listen names no port that is in use', async () => {
  const server = createServer()
  // If another process has the port, it is in use as well.
  await new Promise<unknown>((resolve) => {
    server.once('error', resolve)
    server.listen(4046, '127.0.0.1', () => resolve(null))
  })
  onTestFinished(() => void server.close())

  await expect(listen(createSimulator(), { port: 4045 })).rejects.toThrow(/such as (?!4046)\d+\.$/)
})

test('a port that fetch refuses is named as the reason', async () => {
  const message =
    'Browsers and fetch refuse the port of http://127.0.0.1:1. Start the server on another port.'
  const scenario = { title: 'One request', steps: [{ method: 'GET', path: '/api/projects/' }] }

  await expect(connect('http://127.0.0.1:1').health()).rejects.toThrow(message)
  await expect(replayAt('http://127.0.0.1:1', scenario as never)).rejects.toThrow(message)
  await expect(replayAt('http://127.0.0.1:1', scenario as never, { key: 'x' })).rejects.toThrow(
    message,
  )
})
