import { toOpenApi } from '../adapters/openapi.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { version } from '../version.ts'
import { worldSchema } from '../world/schema/world.ts'
import { sandboxInfo } from './sandbox-info.ts'
import { snapshotInfo } from './snapshot-info.ts'

/** The OpenAPI document of the control API. */
export function controlDocument(
  endpoints: readonly Endpoint<never>[],
  settings: PolicySettings,
): object {
  return toOpenApi(endpoints, settings, {
    info: {
      title: 'Understudy control API',
      version,
      description:
        'Controls a simulator: its world, sandboxes, snapshots, clock, keys, policies, faults, actors, journal and replay.',
    },
    servers: [
      { url: '/', description: "the server's own world" },
      {
        url: '/__sandbox/{sandbox}',
        description: 'the world of a sandbox',
        variables: { sandbox: { default: 'sandbox-1', description: 'The id of a sandbox.' } },
      },
    ],
    named: { World: worldSchema, Sandbox: sandboxInfo, Snapshot: snapshotInfo },
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'Where the server has a token.' },
    },
    security: [{}, { token: [] }],
    errors: ['not_authenticated', 'permission_denied', 'not_acceptable', 'unsupported_media_type'],
  })
}
