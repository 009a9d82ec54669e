import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { World } from './world.ts'

export const readOpenapi: Endpoint<World> = endpoint({
  id: 'readOpenapi',
  summary: 'Read the OpenAPI 3.1 document of the control API.',

  method: 'GET',
  path: '/__admin/openapi.json',
  scope: 'operator',

  params: {},
  status: 200,
  response: z.record(z.string(), z.unknown()),
  errors: [],

  handle: (_input, { document }) => document() as Record<string, unknown>,
})
