import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { run } from '../support/cli/command.ts'
import { runProcess } from '../support/cli/process.ts'
import { startRecord } from '../support/cli/record.ts'
import { temporaryFolder } from '../support/files.ts'
import { startHttpServer, startRawServer } from '../support/http-server.ts'
import { writeScenarioFile } from '../support/scenarios/story.ts'

// A target can send anything. A command ends with the cause, and reads no more than it needs.

const read = { as: 'all', method: 'GET', path: '/api/projects/' } as const
const story = () =>
  writeScenarioFile([
    { ...read, expect: { status: 200, body: { count: 1 } } },
    { ...read, expect: { status: 200 } },
  ])

/** Makes every limit of time a short one. */
function shortenLimits(): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(200))
}

/** A server whose bodies have no end. Counts the bytes that were read of them. */
async function serveWithoutEnd() {
  const sent = { bytes: 0 }
  const spaces = Buffer.alloc(65_536, ' ')
  const url = await startHttpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const body = new Readable({
      read() {
        sent.bytes += spaces.length
        this.push(spaces)
      },
    })
    body.pipe(response).on('close', () => body.destroy())
  })
  return { url, sent }
}

test('record starts in front of a target whose bodies have no end', async () => {
  const { url, sent } = await serveWithoutEnd()

  const { stop } = await startRecord(url, '--out', join(temporaryFolder(), 'story.json'))
  const { code, stderr } = await stop('SIGINT')

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(sent.bytes).toBeLessThan(2 ** 24)
})

test.each([
  ['replay', () => ['replay', story()], /is no Understudy server, and the steps send keys/],
  ['mcp', () => ['mcp'], /\(status 200\) is not from an Understudy admin API/],
] as const)('%s refuses a target whose bodies have no end', async (_, args, message) => {
  const { url, sent } = await serveWithoutEnd()

  const { code, stderr } = await run([...args(), '--target', url])

  expect(code).toBe(2)
  expect(stderr).toMatch(message)
  expect(sent.bytes).toBeLessThan(2 ** 24)
})

test('replay ends at a response whose body stops, and sends no further step', async () => {
  let requests = 0
  const url = await startHttpServer((_, response) => {
    requests += 1
    response.writeHead(200, { 'content-length': '100' }).write('{')
  })
  shortenLimits()

  const { code, stderr } = await run(['replay', story(), '--target', url, '--key', 'phx_mine'])

  expect(code).toBe(4)
  expect(stderr).toContain(
    `Failed to reach ${url}: expected a running server, got no response in time.`,
  )
  expect(requests).toBe(1)
})

test('JSON that is nested too deep to be read is compared as a text', async () => {
  const nested = '['.repeat(100_000) + ']'.repeat(100_000)
  const url = await startHttpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(nested)
  })

  const flags = ['--target', url, '--key', 'phx_mine']
  const { code, stdout, stderr } = await run(['replay', story(), ...flags])

  expect([code, stderr]).toEqual([1, ''])
  expect(stdout).toContain(`got      ${JSON.stringify(nested).slice(0, 50)}`)
})

test('compare ignores a project whose id has no text', async () => {
  const url = await startHttpServer((_, response) => {
    const results = [{ id: { toString: 1 }, organization: 'x' }]
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ count: 1, next: null, previous: null, results }))
  })

  const flags = ['--target', url, '--key', 'phx_mine', '--rate', '1000']
  const { code, stderr } = await run(['compare', ...flags])

  expect([code, stderr]).toEqual([0, ''])
})

test('compare remembers long pages in little memory', async () => {
  const rows = '{"id":1},'.repeat(100_000)
  const page = `{"count":1,"next":null,"previous":null,"results":[${rows}{"id":1}]}`
  const url = await startHttpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(page)
  })
  const flags = ['--key', 'phx_mine', '--rate', '1000', '--max-requests', '60']
  const args = ['compare', '--target', url, ...flags]

  const { code, stderr } = await runProcess(args, { NODE_OPTIONS: '--max-old-space-size=100' })

  // A comparison that takes longer than ten seconds says how far it is.
  expect([code, stderr.replace(/^\d+ [\w ]+ …\n/gm, '')]).toEqual([0, ''])
})

test.each([
  ['a status that proxies use', 'HTTP/1.1 407 Proxy\r\ncontent-length: 0\r\n\r\n', ''],
  [
    'a body that is not compressed as it says',
    'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}',
    ' (Z_DATA_ERROR)',
  ],
])('a response that is not valid is the cause: %s', async (_, response, code) => {
  const url = await startRawServer(response)

  const result = await run(['compare', '--target', url, '--key', 'phx_mine'])

  expect(result).toEqual({
    code: 4,
    stdout: '',
    stderr: `Failed to reach ${url}: expected a running server, got no response${code}. Check the address.\n`,
  })
})
