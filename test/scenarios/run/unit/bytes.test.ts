import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { exchangesToHar } from '../../../../src/adapters/har/write-har.ts'
import { type Exchange, recordingOf, replayAt, type Scenario } from '../../../../src/index.ts'

const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xff)

/** Where a service answers with bytes that are no text. */
async function bytesAt(): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).end(png)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** One read, and the bytes that are expected of it. */
const reading = (base64: string): Scenario => ({
  title: 'A picture',
  steps: [{ method: 'GET', path: '/api/picture/', expect: { status: 200, base64 } }],
})

test('binary bodies are compared byte for byte', async () => {
  const url = await bytesAt()

  const same = await replayAt(url, reading('iVBOR/8='), { key: 'x' })
  const other = await replayAt(url, reading('iVBORw=='), { key: 'x' })

  expect(same.passed).toBe(true)
  expect(other.steps[0]?.differences).toEqual([
    { path: ['expect', 'base64'], where: 'base64', expected: 'iVBORw==', got: 'iVBOR/8=' },
  ])
})

test('a text with the replacement character is not treated as binary', async () => {
  const url = await bytesAt()
  const lost: Scenario = {
    title: 'A picture as a text',
    steps: [{ method: 'GET', path: '/api/picture/', expect: { text: '\uFFFDPNG\uFFFD' } }],
  }

  const [step] = (await replayAt(url, lost, { key: 'x' })).steps

  expect(step?.differences).toMatchObject([
    { where: 'text', expected: 'a text', got: 'binary data (image/png)' },
  ])
})

test('binary bodies are exported to a HAR archive and imported into a scenario', async () => {
  const url = await bytesAt()
  const exchanges: Exchange[] = []
  await replayAt(url, reading('iVBOR/8='), {
    key: 'x',
    onExchange: (one) => void exchanges.push(one),
  })

  const { content } = exchangesToHar(exchanges).log.entries[0]?.response ?? {}
  const { scenario, warnings } = recordingOf(exchanges)

  expect(content).toEqual({ size: 5, mimeType: 'image/png', text: 'iVBOR/8=', encoding: 'base64' })
  expect(warnings).toEqual([])
  expect((await replayAt(url, scenario, { key: 'x' })).passed).toBe(true)
})

test('a recording leaves out binary bodies with secrets', () => {
  const { scenario, warnings } = recordingOf([
    {
      at: '2024-06-15T12:00:00.000Z',
      ms: 1,
      method: 'POST',
      url: 'https://api.example.com/api/upload/',
      request: { headers: [], body: { base64: btoa('\xff grace@canary.test') } },
      response: { status: 200, headers: [], body: { base64: 'iVBOR/8=' } },
    },
  ])

  expect(scenario.steps).toEqual([
    { method: 'POST', path: '/api/upload/', expect: { status: 200, base64: 'iVBOR/8=' } },
  ])
  expect(warnings).toEqual([
    'steps[0] leaves out the request body of 19 bytes, which was not recorded.',
  ])
})
