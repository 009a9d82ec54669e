import * as z from 'zod'
import type { OpenApiDocument } from '../adapters/openapi.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'

/** What the endpoint works with. */
export interface ApiDocumentSource {
  /** By the policies as they are set. */
  readonly document: () => Promise<OpenApiDocument>
}

/** No operation of the service: a server tells what it answers, also to who has no key. */
export const readApiDocument: Endpoint<ApiDocumentSource> = defineEndpoint({
  id: 'readDocument',
  summary: 'Read the OpenAPI 3.1 document of the API, by the policies as they are set.',

  method: 'GET',
  path: '/openapi.json',
  scope: 'any_key',

  params: {},
  status: 200,
  response: z.record(z.string(), z.unknown()),
  errors: [],

  handle: (_input, { document }) => document(),
})
