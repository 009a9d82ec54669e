import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import type { ControlContext } from './world.ts'

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
