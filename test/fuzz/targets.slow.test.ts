import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, inject, test } from 'vitest'
import { createSimulator } from '../../src/index.ts'
import { listen } from '../../src/server/listen.ts'
import { run } from '../support/cli/command.ts'
import { startRecord } from '../support/cli/record.ts'
import { collectErrors } from '../support/errors.ts'
import { temporaryFolder } from '../support/files.ts'
import { createRandom, type Random } from '../support/random.ts'
import { writeScenarioFile } from '../support/scenarios/scenario-files.ts'
import { runRounds, withoutHang } from './run.ts'

const budget = inject('isLong')
  ? { requests: 100_000, seconds: 5_400, isHeapChecked: false }
  : { requests: 1_000, seconds: 20, isHeapChecked: false }
const answersOfRound = 100

const statusLines = [
  'HTTP/1.1 200 OK',
  'HTTP/1.1 000 x',
  'HTTP/1.1 099 Low',
  'HTTP/1.1 101 Switching Protocols',
  'HTTP/1.1 103 Early Hints',
  'HTTP/1.1 204 No Content',
  'HTTP/1.1 304 Not Modified',
  'HTTP/1.1 302 Found',
  'HTTP/1.1 599 \u00ff\u0007odd',
  'HTTP/1.1 999 High',
  'HTTP/1.1 20000 Long',
  'HTTP/1.0 200 OK',
  'HTTP/2 200',
  'ICY 200 OK',
  '',
]
const headerLines = [
  'content-type: application/json',
  'content-type: text/html; charset=utf-16',
  'content-type: ;;;',
  'content-length: 3',
  'content-length: 100000',
  'content-length: -1',
  'content-length: 3\r\ncontent-length: 4',
  'transfer-encoding: chunked',
  'transfer-encoding: chunked\r\ncontent-length: 5',
  'connection: close',
  'connection: upgrade\r\nupgrade: websocket',
  'location: http://[',
  'location: javascript:alert(1)',
  'retry-after: -1',
  'date: yesterday',
  'set-cookie: a=b; domain=*',
  'x-odd: \u0001\u00ff',
  `x-long: ${'a'.repeat(20_000)}`,
]
const page = '{"count":1,"next":null,"previous":null,"results":[{"id":1,"content":"x"}]}'
const bodies: readonly (string | Buffer)[] = [
  '',
  '{}',
  'null',
  page,
  page.replace('"id":1', '"id":1e400'),
  '{"__proto__":{"x":1},"results":5}',
  '['.repeat(5_000),
  `${'['.repeat(2_500)}${']'.repeat(2_500)}`,
  '<html><script>alert(1)</script>',
  '\u001b[31mred\r\nline',
  gzipSync(page),
  gzipSync(Buffer.alloc(5_000_000)),
  Buffer.from([0xff, 0xfe, 0x00, 0xd8]),
  '5\r\n{"a":\r\n0\r\n\r\n',
  'ffffffffffffffff\r\n{}',
  `{"name":"understudy-api","version":"1","status":"ready","results":{"length":-1}}`,
]

/** Answers that no client asked for. */
function writeHostile(socket: Socket, random: Random): void {
  const headers = Array.from({ length: random.below(5) }, () => random.pick(headerLines))
  const body = random.pick(bodies)
  // Node's fetch waits for good for a body that is not of its encoding: only our own time limit ends it, after a minute.
  if (Buffer.isBuffer(body) && body[0] === 0x1f) headers.push('content-encoding: gzip')
  const head = [random.pick(statusLines), ...headers, '', ''].join('\r\n')
  const whole = Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)])
  const isCut = random.below(4) === 0 && !Buffer.isBuffer(body)
  const end = isCut ? random.below(whole.length + 1) : whole.length
  socket.write(whole.subarray(0, end))
  // Without an end, a client would wait for its own time limit.
  if (random.below(8) === 0) socket.resetAndDestroy()
  else socket.end()
}

async function startHostile(random: Random) {
  const target = { answers: 0, url: '' }
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', () => {
      target.answers += 1
      if (socket.writable) writeHostile(socket, random)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  target.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(target, { close: () => server.close() })
}

/** What a command may end with: a result, wrong input, or a target that does not respond. */
const expectedCodes = [0, 1, 2, 4]

test('hostile answers of a target end neither a server nor a command without a message', async () => {
  const file = writeScenarioFile([
    { method: 'GET', path: '/api/projects/1/annotations/', expect: { status: 200 } },
    { method: 'GET', path: '/api/projects/', expect: { status: 200 } },
  ])

  await runRounds('targets', budget, async (seed) => {
    const random = createRandom(seed)
    const target = await startHostile(random)
    const { errors, onError } = collectErrors()
    const server = await listen(createSimulator({ onError }), { forward: target.url, onError })
    const out = join(temporaryFolder(), 'recorded.json')
    const recording = await startRecord(target.url, '--out', out)
    try {
      while (target.answers < answersOfRound) {
        const key = ['--target', target.url, '--key', 'phx_x']
        const command = random.pick([
          ['replay', file, ...key],
          ['check', file, ...key],
          ['observe', ...key, '--rate', '100'],
        ])
        const { code, stderr } = await withoutHang(run(command), `end of ${command[0]}`)
        expect(expectedCodes, stderr).toContain(code)
        for (const url of [`${server.url}/other/`, `${recording.url}/api/projects/`]) {
          await withoutHang(fetch(url, { redirect: 'manual' }).catch(() => null))
        }
      }
      expect([seed, errors]).toEqual([seed, []])
      expect((await fetch(`${server.url}/__admin/health`)).status).toBe(200)
    } finally {
      await recording.stop('SIGINT')
      await server.close()
      target.close()
    }
    return target.answers
  })
})
