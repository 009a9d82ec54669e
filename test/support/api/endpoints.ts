import { endpoints } from '../../../src/api/endpoints.ts'
import { isEndpointEnabled, type Operation } from '../../../src/http/endpoint.ts'
import { resolveSettings } from '../../../src/settings/resolve.ts'

export const documentedEndpoints: readonly Operation[] = endpoints.filter((endpoint) =>
  isEndpointEnabled(endpoint, resolveSettings('documented')),
)
