import net from 'node:net'
import { withoutHang } from './run.ts'

/** Bytes to send over one connection, and how. */
export interface Sending {
  readonly parts: readonly Uint8Array[]
  /** `end` ends this side after the last byte, `reset` breaks the connection, `wait` lets the server end first. */
  readonly finish: 'end' | 'reset' | 'wait'
}

/** Sends bytes over a new connection, and returns all that comes back until it closes. Rejects if it hangs. */
export function exchange(port: number, { parts, finish }: Sending): Promise<Buffer> {
  // Ports of one address would run out.
  const localAddress = `127.0.0.${1 + (Math.floor(performance.now()) % 250)}`
  const socket = net.connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  const received: Buffer[] = []
  const closed = new Promise<Buffer>((resolve) => {
    socket.on('data', (chunk) => received.push(chunk))
    socket.on('end', () => socket.end())
    // The server can close while this side still sends.
    socket.on('error', () => {})
    socket.on('close', () => resolve(Buffer.concat(received)))
  })
  socket.once('connect', async () => {
    socket.setNoDelay()
    for (const part of parts) {
      if (socket.writable) await new Promise((done) => socket.write(part, done))
    }
    if (finish === 'reset') socket.resetAndDestroy()
    else if (finish === 'end') socket.end()
  })
  return withoutHang(closed).catch((error) => {
    socket.destroy()
    throw new Error(
      `${error.message} Received ${Buffer.concat(received).toString('latin1').slice(0, 500)}`,
    )
  })
}

export interface ParsedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly isHead: boolean
}

/**
 * Splits the responses of a connection.
 *
 * @param methods of the first requests; whether any other was a HEAD can only be seen by its response
 * @throws Error for bytes that are no response
 */
export function parseResponses(bytes: Buffer, methods: readonly string[]): ParsedResponse[] {
  const responses: ParsedResponse[] = []
  let at = 0
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at)
    const head = bytes.subarray(at, end < 0 ? undefined : end).toString('latin1')
    const [first = '', ...lines] = head.split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) [\w -]+$/.exec(first)?.[1])
    if (end < 0 || Number.isNaN(status)) throw new Error(`No response: ${head.slice(0, 300)}`)
    at = end + 4
    if (status < 200) continue
    const headers = Object.fromEntries(lines.map(toHeader))
    const next = bytes.subarray(at, at + 9).toString('latin1')
    const method = methods[responses.length] ?? (/^(HTTP\/1\.1 )?$/.test(next) ? 'HEAD' : 'GET')
    const isHead = method === 'HEAD'
    const length = isHead ? 0 : Number(headers['content-length'] ?? 0)
    if (headers['transfer-encoding']) {
      // Node answers a request without a host so.
      const chunks = bytes.subarray(at).toString('latin1')
      if (!chunks.startsWith(noChunks)) throw new Error(`A chunked response: ${head}`)
      at += noChunks.length
    }
    if (at + length > bytes.length) throw new Error(`A response that is cut off: ${head}`)
    responses.push({ status, headers, text: bytes.subarray(at, at + length).toString(), isHead })
    at += length
  }
  return responses
}

const noChunks = '0\r\n\r\n'

function toHeader(line: string): [string, string] {
  const [, name, value] = /^([\w-]+): ([\t -~]*)$/.exec(line) ?? []
  if (name === undefined || value === undefined) throw new Error(`No header: ${line.slice(0, 300)}`)
  return [name.toLowerCase(), value]
}
