import { type OpenApiDocument, toOpenApiDocument } from '../adapters/openapi.ts'
import { endpoints } from '../endpoints.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { apiOptions } from './head.ts'

/**
 * The API as the settings have it, without examples: what its endpoints say of themselves.
 *
 * @param some of the endpoints; all unless it says
 */
export function describeApi(
  settings: PolicySettings,
  some: readonly Endpoint<never>[] = endpoints,
): OpenApiDocument {
  return toOpenApiDocument(some, settings, apiOptions(settings))
}
