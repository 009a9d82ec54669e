import { type OpenApiDocument, toOpenApiDocument } from '../../adapters/openapi/document.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { version } from '../../utils/version.ts'
import { worldSchema } from '../../world/schema/world-schema.ts'
import { sandboxInfoSchema } from './sandboxes.ts'
import { snapshotInfoSchema } from './snapshots.ts'

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
    servers: [
      { url: '/', description: "the server's own world" },
      {
        url: '/__sandbox/{sandbox}',
        description: 'the world of a sandbox',
        variables: { sandbox: { default: 'sandbox-1', description: 'The id of a sandbox.' } },
      },
    ],
    tags,
    tagOf: ({ path }) => path.split('/')[2]?.replace('.json', '') ?? '',
    responseSchemas: {
      World: worldSchema,
      Sandbox: sandboxInfoSchema,
      Snapshot: snapshotInfoSchema,
    },
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'Where the server has a token.' },
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
  health: 'Whether the simulator is ready.',
  openapi: 'This document.',
  world: 'The rows.',
  generate: 'Rows made by the factories.',
  timeline: 'Annotations by their date_marker.',
  reset: 'The way back to the beginning.',
  sandboxes: 'Isolated worlds beside the own one.',
  snapshots: 'Named states to come back to.',
  clock: 'The time that the world goes by.',
  keys: 'API keys.',
  policies: 'What the document of the service leaves open.',
  faults: 'Rules that disturb answers.',
  actors: 'Second actors.',
  journal: 'What was asked and answered.',
  record: 'What a recorder writes down.',
  scenarios: 'What happened once, at hand to happen again.',
  replays: 'Scenarios that happen again.',
  replay: 'How far a recording was answered.',
  words: 'What forms offer to choose from.',
  verify: 'Whether what was expected came.',
  why: 'Where the fields of a row come from.',
}
