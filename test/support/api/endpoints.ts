import { endpoints, type World } from '../../../src/api/endpoints.ts'
import type { Endpoint } from '../../../src/http/endpoint.ts'
import { isEndpointEnabled } from '../../../src/http/route.ts'
import { resolvePolicies } from '../../../src/policies/settings.ts'

export const documentedEndpoints: readonly Endpoint<World>[] = endpoints.filter((endpoint) =>
  isEndpointEnabled(endpoint, resolvePolicies('documented')),
)

/** The organization of the world `default`. */
export const organization = '018f2b6e-0000-7000-8000-00000000000a'

export function endpointPath({ path }: { readonly path: string }, id?: number | string): string {
  const row = id ?? (path.includes('/plugins/') ? 21 : 1)
  return path
    .replace(':organization_id', organization)
    .replace(':project_id', '1')
    .replace(':id', String(row))
}

export function sampleBody({ body }: Endpoint<World>): { body: unknown } | undefined {
  return body ? { body: {} } : undefined
}
