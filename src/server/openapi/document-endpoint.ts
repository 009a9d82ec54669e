import * as z from 'zod'
import type { ApiHandler } from '../../adapters/endpoint-handler.ts'
import { createEndpointHandlers } from '../../adapters/handlers.ts'
import type { OpenApiDocument } from '../../adapters/openapi/document.ts'
import { answer } from '../../http/answer.ts'
import { toBaseUrl } from '../../http/base-url.ts'
import { type EndpointContext, emptyDirectory } from '../../http/context.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { createPathItems } from '../../http/route.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { resolvePolicies } from '../../policies/settings.ts'
import type { Simulator } from '../../simulator.ts'
import { createApiDocument } from './api-document.ts'

/** What the endpoint works with. */
interface ApiDocumentSource {
  /** By the policies as they are set. */
  readonly document: () => Promise<OpenApiDocument>
}

/** No operation of the service: a server tells what it answers, also to who has no key. */
const readApiDocument: Endpoint<ApiDocumentSource> = defineEndpoint({
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

/** The document of the API where a server has it, for its own world and for each sandbox. */
export function openApiHandlers(root: Simulator, report: (error: unknown) => void): ApiHandler[] {
  const known = new WeakMap<PolicySettings, Promise<OpenApiDocument>>()
  const documentOf = (settings: PolicySettings): Promise<OpenApiDocument> => {
    const document = known.get(settings) ?? createApiDocument(settings)
    known.set(settings, document)
    return document
  }
  const open = ({ policies }: Simulator): EndpointContext<ApiDocumentSource> => ({
    settings: resolvePolicies(),
    directory: emptyDirectory,
    world: { document: () => documentOf(policies.settings) },
    throttle: () => 0,
    report,
  })
  return createEndpointHandlers(createPathItems([readApiDocument]), toBaseUrl('*'), {
    resolver: {
      resolve(sandboxId) {
        const simulator = sandboxId === undefined ? root : root.sandboxes.get(sandboxId)
        return simulator && open(simulator)
      },
    },
    run: (route, request, context) => answer(route, request, context, () => ({})),
  })
}
