import type { EndpointHandler } from '../adapters/door.ts'
import type { OpenApiDocument } from '../adapters/openapi.ts'
import { toEndpointHandlers } from '../adapters/service.ts'
import { answer } from '../http/answer.ts'
import { toBaseUrl } from '../http/base.ts'
import { emptyDirectory } from '../http/nobody.ts'
import { createPathItems } from '../http/route.ts'
import type { EndpointContext } from '../http/sandbox.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { resolvePolicies } from '../policies/settings.ts'
import type { Simulator } from '../simulator.ts'
import { createApiDocument } from './document.ts'
import { type ApiDocumentSource, readApiDocument } from './read-document.ts'

/** The document of the API where a server has it, for its own world and for each sandbox. */
export function openApiHandlers(
  root: Simulator,
  report: (error: unknown) => void,
): EndpointHandler<ApiDocumentSource, EndpointContext<ApiDocumentSource>>[] {
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
  return toEndpointHandlers(createPathItems([readApiDocument]), toBaseUrl('*'), {
    choose(named) {
      const simulator = named === undefined ? root : root.sandboxes.get(named)
      return simulator && open(simulator)
    },
    answer: (route, params, call, sandbox) => answer(route, params, call, sandbox, () => ({})),
  })
}
