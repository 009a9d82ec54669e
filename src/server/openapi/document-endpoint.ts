import * as z from 'zod'
import type { OpenApiDocument } from '../../adapters/openapi/document.ts'
import { answer } from '../../http/answer.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { type ApiHandler, createEndpointHandlers, createPathItems } from '../../http/route.ts'
import { toBaseUrl } from '../../http/url.ts'
import type { SettingValues } from '../../settings/setting.ts'
import type { Simulator } from '../../simulator.ts'
import { createResolver } from '../control/handlers.ts'

type DocumentWorld = { readonly readDocument: () => Promise<OpenApiDocument> }

/** Not part of the API: a server describes its API to everyone, without a key. */
const readApiDocument: Endpoint<DocumentWorld> = defineEndpoint({
  id: 'readDocument',
  summary: 'Read the OpenAPI 3.1 document of the API, under the current settings.',

  method: 'GET',
  path: '/openapi.json',
  scope: 'any_key',

  params: {},
  status: 200,
  response: z.record(z.string(), z.unknown()),
  errors: [],

  handle: (_input, { readDocument }) => readDocument(),
})

/** Creates the handlers of `/openapi.json`, for the root simulator and for each sandbox. */
export function openApiHandlers(root: Simulator, report: (error: unknown) => void): ApiHandler[] {
  const documents = new WeakMap<SettingValues, Promise<OpenApiDocument>>()
  const createDocument = async (settings: SettingValues): Promise<OpenApiDocument> =>
    (await import('./api-document.ts')).createApiDocument(settings)
  const readDocument = (settings: SettingValues): Promise<OpenApiDocument> => {
    const document = documents.get(settings) ?? createDocument(settings)
    documents.set(settings, document)
    return document
  }
  return createEndpointHandlers(createPathItems([readApiDocument]), toBaseUrl('*'), {
    resolver: createResolver(root, report, ({ sandbox }) => ({
      readDocument: () => readDocument(sandbox.settingTracker.untracked),
    })),
    run: (route, request, context) => answer(route, request, context, () => ({})),
  })
}
