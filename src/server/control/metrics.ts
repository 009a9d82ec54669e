import * as z from 'zod'
import { StreamedBody } from '../../http/messages.ts'
import { type ControlOperations, operation } from './control-endpoint.ts'

export const metricsOperations: ControlOperations = {
  readMetrics: operation('GET', '/__admin/metrics', {
    summary:
      'Read the metrics of the server and of all its sandboxes, in the format of Prometheus.',
    mediaType: 'text/plain',
    response: z.string(),
    async handle(_input, _simulator, { readMetrics }) {
      const { contentType, text } = await readMetrics()
      return new StreamedBody(contentType, encode(text))
    },
  }),
}

async function* encode(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}
