import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../../src/server/listen.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { maxTextLength } from '../../../../src/utils/json.ts'
import { decodeUtf8Body } from '../../../../src/utils/python/parse-json.ts'

/** Puts an empty world with spaces before it, as a body of that many bytes. */
async function putWorld(bytes: number): Promise<[status: number | undefined, body: object]> {
  const server = await listen(createSimulator())
  onTestFinished(() => server.close())
  const chunk = Buffer.alloc(1_048_576, ' ')
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': bytes }
    const sent = request(`${server.url}/__admin/world`, { method: 'PUT', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => (text += part))
      response.on('end', () => resolve([response.statusCode, JSON.parse(text)]))
    }).on('error', reject)
    const send = async () => {
      let rest = bytes - 2
      while (rest > 0) {
        const isReady = sent.write(chunk.subarray(0, rest))
        rest -= Math.min(rest, chunk.length)
        if (!isReady) await new Promise((drained) => sent.once('drain', drained))
      }
      sent.end('{}')
    }
    void send()
  })
}

test.each([maxTextLength - 1, maxTextLength])('a body of %i bytes is read', async (bytes) => {
  expect(await putWorld(bytes)).toEqual([200, expect.objectContaining({ annotations: 0 })])
})

test('a body that no string can hold is refused with 413, in the format of errors', async () => {
  expect(await putWorld(maxTextLength + 1)).toEqual([
    413,
    {
      type: 'invalid_request',
      code: 'request_too_large',
      detail: 'Request body is too large.',
      attr: null,
    },
  ])
})

test('the limit is the longest string of this engine', () => {
  const bytes = new Uint8Array(maxTextLength + 1).fill(32)

  expect(decodeUtf8Body(bytes.subarray(1))).toHaveLength(maxTextLength)
  expect(() => decodeUtf8Body(bytes)).toThrow()
})
