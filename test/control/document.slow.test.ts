import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type ControlExample,
  createControlDocument,
} from '../../.tools/openapi/control-document.ts'
import type { Operations } from '../../src/control/operations.ts'
import { formatJson } from '../../src/utils/format-json.ts'
import { root } from '../support/cli/command.ts'
import { controlPath, operations } from '../support/control/examples.ts'
import { serve } from '../support/transports/start.ts'

// npm run docs writes what this test compares.
test('the OpenAPI document of the control API matches its operations', async () => {
  const examples: Record<string, ControlExample> = {}
  for (const { line, method, path, example } of operations) {
    examples[line] = await observe(line, method, path, example)
  }

  const document = createControlDocument(root, examples as Record<keyof Operations, ControlExample>)

  await expect(`${formatJson(document)}\n`).toMatchFileSnapshot(
    join(root, 'src/control/openapi.json'),
  )
}, 60_000)

async function observe(
  line: string,
  method: string,
  path: string,
  example: (typeof operations)[number]['example'],
): Promise<ControlExample> {
  const { body, headers = {} } = example
  const client = await serve()
  await example.arrange?.(client.simulator)
  const sent = { key: null, headers, ...(body !== undefined && { body }) }
  const response = await client.send(method, controlPath(path, example), sent)
  if (line === 'GET /journal/events') return { response: await readStream(response) }
  const text = (await response.text()).replaceAll(client.origin, 'http://127.0.0.1:4010')
  return { body, ...(text !== '' && { response: JSON.parse(text, withoutTimes) }) }
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
  return ['ms', 'time', 'wait'].includes(name) && typeof value === 'number' ? 1 : value
}
