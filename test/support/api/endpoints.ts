import { endpoints } from '../../../src/api/endpoints.ts'
import type { Endpoint, Operation } from '../../../src/http/endpoint.ts'
import { isEndpointEnabled } from '../../../src/http/route.ts'
import { resolveSettings } from '../../../src/settings/resolve.ts'
import { acme } from './paths.ts'

export const documentedEndpoints: readonly Operation[] = endpoints.filter((endpoint) =>
  isEndpointEnabled(endpoint, resolveSettings('documented')),
)

export function endpointPath({ path }: { readonly path: string }, id?: number | string): string {
  const row = id ?? (path.includes('/plugins/') ? 21 : 1)
  return path
    .replace(':organization_id', acme)
    .replace(':project_id', '1')
    .replace(':id', String(row))
}

export function sampleBody({ body }: Endpoint): { body: unknown } | undefined {
  return body ? { body: {} } : undefined
}
