import { gzipSync } from 'node:zlib'
import type { Random } from '../support/random.ts'
import type { Sending } from './connection.ts'
import type { FuzzRequest } from './requests.ts'

/** What is sent over one connection. */
export interface ByteCase extends Sending {
  readonly mutations: readonly string[]
  /** The requests at the beginning that were not changed: each has to get its own response. */
  readonly intact: readonly FuzzRequest[]
}

type Mutation = (bytes: Buffer, random: Random) => Buffer

const insert = (bytes: Buffer, at: number, text: string | Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, at), Buffer.from(text as string), bytes.subarray(at)])

/** Where the header lines begin. */
const headersOf = (bytes: Buffer) => bytes.indexOf('\r\n') + 2

const header =
  (...choices: readonly (string | ((random: Random) => string))[]): Mutation =>
  (bytes, random) => {
    const choice = random.pick(choices)
    const line = typeof choice === 'string' ? choice : choice(random)
    return insert(bytes, headersOf(bytes), `${line}\r\n`)
  }

const requestLine =
  (change: (line: string, random: Random) => string): Mutation =>
  (bytes, random) => {
    const end = Math.max(0, bytes.indexOf('\r\n'))
    const line = change(bytes.subarray(0, end).toString('latin1'), random)
    return Buffer.concat([Buffer.from(line, 'latin1'), bytes.subarray(end)])
  }

/** Changes of the bytes of one request. */
const mutations: Readonly<Record<string, Mutation>> = {
  truncated: (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  'a flipped bit': (bytes, random) => {
    const copy = Buffer.from(bytes)
    const at = random.below(copy.length)
    copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8))
    return copy
  },
  'inserted bytes': (bytes, random) =>
    insert(
      bytes,
      random.below(bytes.length),
      Uint8Array.from({ length: 1 + random.below(8) }, () => random.below(256)),
    ),
  'removed bytes': (bytes, random) => {
    const at = random.below(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(9))])
  },
  'a repeated part': (bytes, random) => {
    const at = random.below(bytes.length)
    return insert(bytes, at, bytes.subarray(Math.max(0, at - random.below(60)), at))
  },
  'a huge header': header((random) => `x-huge: ${'a'.repeat(10_000 + random.below(90_000))}`),
  'many headers': header((random) =>
    Array.from({ length: 100 + random.below(3_000) }, (_, index) => `x-${index}: a`).join('\r\n'),
  ),
  'a repeated header': header(
    'host: other.test',
    'authorization: Bearer phx_none',
    'content-type: text/plain',
    'content-length: 0',
    'content-length: 5',
    'accept: text/html',
  ),
  'an odd header': header(
    'transfer-encoding: chunked',
    'transfer-encoding: gzip, chunked',
    'transfer-encoding: identity',
    'content-length: -1',
    'content-length: 1e3',
    'content-length: 99999999999999999999',
    'expect: 100-continue',
    'expect: miracles',
    'connection: upgrade\r\nupgrade: websocket',
    'connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk',
    'connection: close',
    'connection: \u0001',
    'keep-alive: timeout=999999999',
    'trailer: x',
    'x-folded: a\r\n b',
    ': nameless',
    'x y: z',
    'x-é: ü',
    '__proto__: polluted',
    'constructor: polluted',
    'x-forwarded-host: evil.test',
    'range: bytes=0-5',
    'if-none-match: *',
  ),
  'an odd target': requestLine((line, random) =>
    line.replace(/ (\S+) /, (_, target: string) => {
      const targets = [
        `http://api.test${target}`,
        `HTTP://user:pass@api.test:80${target}`,
        `https://[::1]${target}`,
        `//evil.test${target}`,
        '*',
        '',
        'api.test:443',
        `${target}#fragment`,
        `${target}\u00e9\u00ff`,
        target.slice(1),
        `${target}?${'a=b&'.repeat(3_000)}`,
        '/..//../',
        '/\\evil',
        'http://',
        'javascript:alert(1)',
      ]
      return ` ${random.pick(targets)} `
    }),
  ),
  'an odd method': requestLine((line, random) =>
    line.replace(/^\S+/, () =>
      random.pick(['CONNECT', 'TRACE', 'get', 'PRI', 'OPTIONS', 'HEAD', 'PROPFIND', 'QUERY', '']),
    ),
  ),
  'an odd version': requestLine((line, random) =>
    line.replace(/HTTP.*$/, () =>
      random.pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.2', 'HTTP/11.1', '', 'RTSP/1.0']),
    ),
  ),
  'bare line feeds': (bytes) =>
    Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  'no host': (bytes) => Buffer.from(bytes.toString('latin1').replace(/host: .*\r\n/, ''), 'latin1'),
}

const names = Object.keys(mutations)

/** Some requests of one connection. The last ones can be broken; nothing is expected of what follows a broken one. */
export function createByteCase(create: () => FuzzRequest, random: Random): ByteCase {
  const requests = Array.from({ length: 1 + random.below(4) }, create)
  const intact = random.below(3) === 0 ? requests.length : random.below(requests.length)
  const applied: string[] = []
  const all = requests.map((request, index) => {
    // Node discards responses after the client has ended its side, so the server has to close first.
    const isLast = intact === requests.length && index === intact - 1
    const sent = isLast ? { ...request.headers, connection: 'close' } : request.headers
    const bytes = toBytes({ ...request, headers: sent }, random)
    if (index < intact) return bytes
    let mutated = bytes
    for (let left = 1 + random.below(2); left > 0 && mutated.length > 0; left--) {
      const name = random.pick(names)
      applied.push(name)
      mutated = mutations[name]?.(mutated, random) ?? mutated
    }
    return mutated
  })
  return {
    parts: split(Buffer.concat(all), random),
    finish: random.below(10) === 0 ? 'reset' : applied.length === 0 ? 'wait' : 'end',
    mutations: applied,
    intact: requests.slice(0, intact),
  }
}

/** A request as HTTP/1.1: its body has a length, or it is chunked. */
function toBytes({ method, path, headers, body }: FuzzRequest, random: Random): Buffer {
  const isChunked = body !== null && random.below(4) === 0
  const isZipped = headers['content-encoding'] === 'gzip' && body !== null
  const sent = isZipped ? gzipSync(body) : (body ?? new Uint8Array())
  const all = {
    host: 'api.test',
    ...headers,
    ...(body &&
      (isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(sent.length) })),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
  return Buffer.concat([head, isChunked ? chunked(Buffer.from(sent), random) : sent])
}

function chunked(body: Buffer, random: Random): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const chunk = body.subarray(at, at + 1 + random.below(2_000))
    const extension = random.pick(['', '', ';a=b', ';a="b c"'])
    parts.push(
      Buffer.from(`${chunk.length.toString(16)}${extension}\r\n`),
      chunk,
      Buffer.from('\r\n'),
    )
    at += chunk.length
  }
  const trailer = random.pick(['', '', 'x-trailer: a\r\n'])
  return Buffer.concat([...parts, Buffer.from(`0\r\n${trailer}\r\n`)])
}

/** Mostly in one piece. Otherwise in a few parts, which arrive one by one. */
function split(bytes: Buffer, random: Random): Buffer[] {
  if (random.below(3) > 0) return [bytes]
  const cuts = Array.from({ length: 1 + random.below(6) }, () => random.below(bytes.length + 1))
  const ends = [...cuts.sort((a, b) => a - b), bytes.length]
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}
