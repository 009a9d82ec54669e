import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type AdminExample, createAdminDocument } from '../../.tools/openapi/admin-document.ts'
import type { Operations } from '../../src/admin/operations.ts'
import { formatJson } from '../../src/utils/format-json.ts'
import { root } from '../support/cli/command.ts'
import { serve } from '../support/transports/start.ts'
import { adminPath, operations } from './examples.ts'

// npm run docs writes what this test compares.
test('the OpenAPI document of the admin API matches its operations', async () => {
  const examples: Record<string, AdminExample> = {}
  for (const { line, method, path, example } of operations) {
    examples[line] = await observe(line, method, path, example)
  }

  const document = createAdminDocument(root, examples as Record<keyof Operations, AdminExample>)

  await expect(`${formatJson(document)}\n`).toMatchFileSnapshot(
    join(root, 'src/admin/openapi.json'),
  )
})

async function observe(
  line: string,
  method: string,
  path: string,
  example: (typeof operations)[number]['example'],
): Promise<AdminExample> {
  const { body, headers = {} } = example
  const client = await serve()
  await example.arrange?.(client.simulator)
  const sent = { key: null, headers, ...(body !== undefined && { body }) }
  const response = await client.send(method, adminPath(path, example), sent)
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
