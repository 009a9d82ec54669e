import * as z from 'zod'
import type { ApiHandler } from '../../adapters/endpoint-handler.ts'
import { createEndpointHandlers } from '../../adapters/endpoint-handler.ts'
import type { OpenApiDocument } from '../../adapters/openapi/document.ts'
import { answer } from '../../http/answer.ts'
import {
  defineEndpoint,
  type Endpoint,
  type EndpointContext,
  emptyDirectory,
} from '../../http/endpoint.ts'
import { createPathItems } from '../../http/route.ts'
import { toBaseUrl } from '../../http/url.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { resolvePolicies } from '../../policies/settings.ts'
import type { Simulator } from '../../simulator.ts'
import { createApiDocument } from './api-document.ts'

interface DocumentWorld {
  readonly readDocument: () => Promise<OpenApiDocument>
}

/** Not part of the API: a server describes its API to everyone, without a key. */
const readApiDocument: Endpoint<DocumentWorld> = defineEndpoint({
  id: 'readDocument',
  summary: 'Read the OpenAPI 3.1 document of the API, under the current policies.',

  method: 'GET',
  path: '/openapi.json',
  scope: 'any_key',

  params: {},
  status: 200,
  response: z.record(z.string(), z.unknown()),
  errors: [],

  handle: (_input, { readDocument }) => readDocument(),
})

/**
 * Creates the handlers of `/openapi.json`, for the root simulator and for each sandbox.
 *
 * @param report called with exceptions
 */
export function openApiHandlers(root: Simulator, report: (error: unknown) => void): ApiHandler[] {
  const documents = new WeakMap<PolicySettings, Promise<OpenApiDocument>>()
  const readDocument = (settings: PolicySettings): Promise<OpenApiDocument> => {
    const document = documents.get(settings) ?? createApiDocument(settings)
    documents.set(settings, document)
    return document
  }
  const toContext = ({ policies }: Simulator): EndpointContext<DocumentWorld> => ({
    settings: resolvePolicies(),
    directory: emptyDirectory,
    world: { readDocument: () => readDocument(policies.settings) },
    throttle: () => 0,
    report,
  })
  return createEndpointHandlers(createPathItems([readApiDocument]), toBaseUrl('*'), {
    resolver: {
      resolve(sandboxId) {
        const simulator = sandboxId === undefined ? root : root.sandboxes.get(sandboxId)
        return simulator && toContext(simulator)
      },
    },
    run: (route, request, context) => answer(route, request, context, () => ({})),
  })
}
