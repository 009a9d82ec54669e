import { isObject, tryParseJson } from '../utils/json.ts'

/** The error response of JSON-RPC 2.0 to a line that is not a message. */
interface LineError {
  readonly jsonrpc: '2.0'
  /** Null if the line has no id that could be read */
  readonly id: string | number | null
  readonly error: { readonly code: number; readonly message: string }
}

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
  const read = (line: string): void => {
    number += 1
    if (line.trim() === '') return
    const error = checkLine(line, number, parse)
    if (error) onRefused(error)
    else onLine(`${line}\n`)
  }
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const [first = '', ...lines] = chunk.split('\n')
    rest += first
    for (const line of lines) {
      read(rest)
      rest = line
    }
  })
  stream.once('end', () => read(rest))
}

function checkLine(
  line: string,
  number: number,
  parse: (line: string) => unknown,
): LineError | null {
  const place = `Failed to read line ${number} of stdin`
  const parsed = tryParseJson(line)
  if (!parsed) return refusal(null, -32_700, `${place}: expected JSON.`)
  try {
    parse(line)
    return null
  } catch {
    const { id } = isObject(parsed.value) ? parsed.value : {}
    const known = typeof id === 'string' || typeof id === 'number' ? id : null
    return refusal(known, -32_600, `${place}: expected a message of JSON-RPC 2.0.`)
  }
}

function refusal(id: LineError['id'], code: number, message: string): LineError {
  return { jsonrpc: '2.0', id, error: { code, message } }
}
