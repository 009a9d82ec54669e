import * as z from 'zod'
import { endpoints } from '../../api/endpoints.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { failureFormats } from '../../http/failures.ts'
import type { Words } from '../../remote/connect.ts'
import { presets } from '../../sandbox/faults/presets.ts'
import { version } from '../../utils/version.ts'
import { annotationScopes } from '../../world/world-format.ts'
import type { ControlContext } from './control-endpoint.ts'

export const readHealth: Endpoint<ControlContext> = defineEndpoint({
  id: 'readHealth',
  summary: 'Tell whether the simulator is ready.',

  method: 'GET',
  path: '/__admin/health',
  scope: 'anyone',

  params: {},
  status: 200,
  response: z.object({ status: z.literal('ready'), version: z.string() }),
  errors: [],

  handle: () => ({ status: 'ready' as const, version }),
})

export const readOpenapi: Endpoint<ControlContext> = defineEndpoint({
  id: 'readOpenapi',
  summary: 'Read the OpenAPI 3.1 document of the control API.',

  method: 'GET',
  path: '/__admin/openapi.json',
  scope: 'operator',

  params: {},
  status: 200,
  response: z.record(z.string(), z.unknown()),
  errors: [],

  handle: (_input, { openApiDocument }) => openApiDocument() as Record<string, unknown>,
})

const text = z.string()
const wordsSchema: z.ZodType<Words> = z.object({
  operations: z.array(z.object({ id: text, summary: text, method: text, path: text })),
  errors: z.array(text),
  presets: z.array(z.object({ name: text, description: text })),
  annotation_scopes: z.array(text),
})

export const listWords: Endpoint<ControlContext> = defineEndpoint({
  id: 'listWords',
  summary: 'List the words that rules and rows take: operations, errors, presets, scopes.',

  method: 'GET',
  path: '/__admin/words',
  scope: 'operator',

  params: {},
  status: 200,
  response: wordsSchema,
  errors: [],

  handle: () => ({
    operations: endpoints.map(({ id, summary, method, path }) => ({ id, summary, method, path })),
    errors: Object.keys(failureFormats),
    presets: Object.entries(presets).map(([name, { description }]) => ({ name, description })),
    annotation_scopes: annotationScopes,
  }),
})
