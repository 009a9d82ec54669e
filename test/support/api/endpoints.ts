import { endpoints } from '../../../src/api/endpoints.ts'
import type { Operation } from '../../../src/http/endpoint.ts'
import { isEndpointEnabled } from '../../../src/http/route.ts'
import { resolveSettings } from '../../../src/settings/resolve.ts'

export const documentedEndpoints: readonly Operation[] = endpoints.filter((endpoint) =>
  isEndpointEnabled(endpoint, resolveSettings('documented')),
)
