import * as z from 'zod'
import { endpoints } from '../../api/endpoints.ts'
import { failureFormats } from '../../http/failures.ts'
import type { Vocabulary } from '../../remote/connect.ts'
import { presets } from '../../sandbox/faults/rule.ts'
import { version } from '../../utils/version.ts'
import { annotationScopes } from '../../world/world-format.ts'
import { type ControlOperations, operation } from './control-endpoint.ts'

const text = z.string()
const vocabularySchema: z.ZodType<Vocabulary> = z.object({
  operations: z.array(z.object({ id: text, summary: text, method: text, path: text })),
  errors: z.array(text),
  presets: z.array(z.object({ name: text, description: text })),
  annotation_scopes: z.array(text),
})

export const serverInfoOperations: ControlOperations = {
  readHealth: operation('GET', '/__admin/health', {
    summary: 'Check that the server is ready.',
    scope: 'anyone',
    response: z.object({ status: z.literal('ready'), version: z.string() }),
    handle: () => ({ status: 'ready' as const, version }),
  }),

  readOpenapi: operation('GET', '/__admin/openapi.json', {
    summary: 'Read the OpenAPI 3.1 document of the control API.',
    response: z.record(z.string(), z.unknown()),
    handle: (_input, _simulator, { openApiDocument }) =>
      openApiDocument() as Record<string, unknown>,
  }),

  readVocabulary: operation('GET', '/__admin/vocabulary', {
    summary: 'List the names that rules and rows can use: operations, errors, presets, scopes.',
    response: vocabularySchema,
    handle: () => ({
      operations: endpoints.map(({ id, summary, method, path }) => ({ id, summary, method, path })),
      errors: Object.keys(failureFormats),
      presets: Object.entries(presets).map(([name, { description }]) => ({ name, description })),
      annotation_scopes: annotationScopes,
    }),
  }),
}
