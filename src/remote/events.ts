/** One server-sent event. */
export interface ServerSentEvent {
  readonly event: string
  readonly data: string
}

/**
 * The events of an answer, as the HTML standard has them, as far as our own server sends such: LF at the end of
 * lines, one line of data. Comments are left out.
 */
export async function* readServerSentEvents(response: Response): AsyncGenerator<ServerSentEvent> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += decoder.decode(value, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map(parseField))
      const data = fields.get('data')
      if (data !== undefined) yield { event: fields.get('event') ?? 'message', data }
    }
  }
}

/** `name: value` */
function parseField(line: string): [string, string] {
  const colon = line.indexOf(': ')
  return [line.slice(0, colon), line.slice(colon + 2)]
}
