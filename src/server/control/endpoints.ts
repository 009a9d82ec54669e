import { type OpenApiDocument, toOpenApiDocument } from '../../adapters/openapi/document.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { version } from '../../utils/version.ts'
import { worldSchema } from '../../world/schema/world-schema.ts'
import { documentServers } from '../openapi/api-document.ts'
import { clockOperations } from './clock.ts'
import type { ControlContext } from './control-endpoint.ts'
import { faultOperations } from './faults.ts'
import { journalOperations } from './journal.ts'
import { keyOperations } from './keys.ts'
import { policyOperations } from './policies.ts'
import { sandboxInfoSchema, sandboxOperations } from './sandboxes.ts'
import { scenarioOperations } from './scenarios.ts'
import { serverInfoOperations } from './server-info.ts'
import { snapshotInfoSchema, snapshotOperations } from './snapshots.ts'
import { worldOperations } from './world.ts'

/** Every operation of the control API, in the order of its documents. */
export const allControlEndpoints: readonly Endpoint<ControlContext>[] = Object.entries({
  ...serverInfoOperations,
  ...worldOperations,
  ...sandboxOperations,
  ...snapshotOperations,
  ...clockOperations,
  ...keyOperations,
  ...policyOperations,
  ...faultOperations,
  ...journalOperations,
  ...scenarioOperations,
}).map(([id, operation]) => ({ ...operation, id }))

/** The OpenAPI document of the control API. */
export function controlDocument(
  endpoints: readonly Endpoint<never>[],
  settings: PolicySettings,
): OpenApiDocument {
  return toOpenApiDocument(endpoints, settings, {
    info: {
      title: 'Understudy control API',
      version,
      description:
        'Controls a simulator: its world, sandboxes, snapshots, clock, keys, policies, faults, actors, journal and replay.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: documentServers,
    tags,
    tagOf: ({ path }) => path.split('/')[2]?.replace('.json', '') ?? '',
    responseSchemas: {
      World: worldSchema,
      Sandbox: sandboxInfoSchema,
      Snapshot: snapshotInfoSchema,
    },
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'Required if the server has a token.' },
    },
    securityOf: () => [{}, { token: [] }],
    errorsOf: () => [
      'not_authenticated',
      'permission_denied',
      'not_acceptable',
      'unsupported_media_type',
    ],
  })
}

const tags = {
  health: 'Readiness of the server.',
  openapi: 'This document.',
  vocabulary: 'The names that rules and rows can use.',
  world: 'The rows of the world.',
  generate: 'Generated rows.',
  reset: 'The return to the rows of the start.',
  timeline: 'Annotations counted by their date_marker.',
  sandboxes: "Isolated worlds beside the server's own.",
  snapshots: 'Named states of the rows.',
  clock: 'The time in the world.',
  keys: 'API keys.',
  policies: 'Settings for everything that the documentation of the service leaves open.',
  faults: 'Rules that inject errors, delays and broken connections.',
  actors: 'Second actors, which write between requests.',
  journal: 'Requests with their responses.',
  verify: 'Assertions on the requests in the journal.',
  record: 'Scenarios made from the journal.',
  why: 'The origin of each field of a row.',
  replay: 'The progress of a recording that the server replays.',
  scenarios: 'Scenario files.',
  replays: 'Replays of scenarios.',
}
