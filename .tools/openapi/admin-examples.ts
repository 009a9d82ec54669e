import { type Operations, operations } from '../../src/admin/operations.ts'
import { createSimulator } from '../../src/index.ts'
import { listen } from '../../src/node.ts'
import { adminPath, type Example, examples } from '../../test/admin/examples.ts'
import type { AdminExample } from './admin-document.ts'

/** Sends the example of each operation of the admin API to a server of its own. */
export async function observeAdmin(): Promise<Readonly<Record<keyof Operations, AdminExample>>> {
  const lines = Object.keys(operations) as (keyof Operations)[]
  const observed = lines.map(async (line) => [line, await observe(line, examples[line])])
  return Object.fromEntries(await Promise.all(observed))
}

async function observe(line: keyof Operations, example: Example): Promise<AdminExample> {
  const [method = '', path = ''] = line.split(' ')
  const { body, headers = {} } = example
  const simulator = createSimulator({ clock: '2024-06-15T12:00:00Z' })
  const server = await listen(simulator)
  try {
    await example.arrange?.(simulator)
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${server.url}${adminPath(path, example)}`, {
      method,
      headers: { ...json, ...headers },
      ...sent,
    })
    if (line === 'GET /journal/events') return { response: await readStream(response) }
    const text = (await response.text()).replaceAll(server.url, 'http://127.0.0.1:4010')
    return { body, ...(text !== '' && { response: JSON.parse(text, withoutTimes) }) }
  } finally {
    await server.close()
  }
}

/** What a stream that goes on sends until its first event. */
async function readStream({ body }: Response): Promise<string> {
  const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>>)
    .pipeThrough(new TextDecoderStream())
    .getReader()
  let text = ''
  while (!/data: .*\n\n/.test(text)) text += (await reader.read()).value ?? ''
  await reader.cancel()
  return text.replace(/"(ms|time|wait)":[\d.]+/g, '"$1":1')
}

/** What a request took differs in each run. */
function withoutTimes(name: string, value: unknown): unknown {
  // By the time of the machine.
  if (name === 'expires_at' && value !== null) return '2024-06-15T12:01:00Z'
  return ['ms', 'time', 'wait'].includes(name) && typeof value === 'number' ? 1 : value
}
