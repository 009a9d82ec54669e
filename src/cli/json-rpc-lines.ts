import { isObject, tryParseJson } from '../utils/json.ts'

/** The error response of JSON-RPC 2.0 to a line that is not a message. */
interface LineError {
  readonly jsonrpc: '2.0'
  /** Null if the line has no id that could be read */
  readonly id: string | number | null
  readonly error: { readonly code: number; readonly message: string }
}

/** The longest line that is read, in bytes. The content of an import, in which each character may be escaped, fits. */
export const maxLineBytes: number = 128 * 1024 * 1024

/**
 * Reads messages of JSON-RPC 2.0 from a stream, one in each line. The SDK drops a line that it cannot read, so its sender
 * would wait for a response that never comes.
 *
 * @param parse reads a message as the SDK does. It throws for any other line
 * @param onLine called with the line of each message, which ends with a line break
 * @param onRefused called with the error response to each other line
 */
export function readJsonRpcLines(
  stream: NodeJS.ReadStream,
  parse: (line: string) => unknown,
  onLine: (line: string) => void,
  onRefused: (error: LineError) => void,
): void {
  let number = 0
  let rest = ''
  let bytes = 0
  const read = (line: string): void => {
    number += 1
    const isTooLong = bytes > maxLineBytes
    bytes = 0
    if (!isTooLong && line.trim() === '') return
    const error = isTooLong ? refuseLength(number) : checkLine(line, number, parse)
    if (error) onRefused(error)
    else onLine(`${line}\n`)
  }
  const add = (part: string): void => {
    bytes += Buffer.byteLength(part)
    rest = bytes > maxLineBytes ? '' : rest + part
  }
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const [first = '', ...lines] = chunk.split('\n')
    add(first)
    for (const line of lines) {
      read(rest)
      rest = ''
      add(line)
    }
  })
  stream.once('end', () => read(rest))
}

function checkLine(
  line: string,
  number: number,
  parse: (line: string) => unknown,
): LineError | null {
  const parsed = tryParseJson(line)
  if (!parsed) return refusal(null, -32_700, number, 'JSON')
  try {
    parse(line)
    return null
  } catch {
    const { id } = isObject(parsed.value) ? parsed.value : {}
    const known = typeof id === 'string' || typeof id === 'number' ? id : null
    return refusal(known, -32_600, number, 'a message of JSON-RPC 2.0')
  }
}

function refuseLength(number: number): LineError {
  return refusal(null, -32_600, number, `at most ${maxLineBytes} bytes`)
}

function refusal(id: LineError['id'], code: number, line: number, expected: string): LineError {
  const message = `Failed to read line ${line} of stdin: expected ${expected}.`
  return { jsonrpc: '2.0', id, error: { code, message } }
}
