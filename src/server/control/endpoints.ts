import * as z from 'zod'
import {
  type OpenApiDocument,
  toErrorSchema,
  toOpenApiDocument,
} from '../../adapters/openapi/document.ts'
import { ndjsonType } from '../../http/body.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { resolvePolicies } from '../../policies/settings.ts'
import { vocabularyOf } from '../../sandbox/vocabulary.ts'
import { version } from '../../utils/version.ts'
import { fixtureNames } from '../../world/load/built-in-worlds.ts'
import { worldSchema } from '../../world/schema/world-schema.ts'
import { curlExample } from '../curl-example.ts'
import { documentServers } from '../openapi/api-document.ts'
import { clockOperations } from './clock.ts'
import { healthOperations } from './health.ts'
import { journalOperations } from './journal.ts'
import { keyOperations } from './keys.ts'
import { type ControlContext, operation, toEndpoints } from './operation.ts'
import { policyOperations } from './policies.ts'
import { ruleOperations } from './rules.ts'
import { sandboxInfoSchema, sandboxOperations } from './sandboxes.ts'
import { scenarioOperations } from './scenarios.ts'
import { snapshotInfoSchema, snapshotOperations } from './snapshots.ts'
import { worldOperations } from './world.ts'

const text = z.string()
const vocabularySchema = z.object({
  operations: z.array(z.object({ id: text, summary: text, method: text, path: text })),
  errors: z.array(text),
  presets: z.array(z.object({ name: text, description: text })),
  annotation_scopes: z.array(text),
  key_scopes: z.array(text),
  fixtures: z.array(text),
})

const serverInfoOperations = {
  readOpenapi: operation('GET', '/__admin/openapi.json', {
    summary: 'Read the OpenAPI 3.1 document of the control API.',
    response: z.record(z.string(), z.unknown()),
    handle: () => ({ ...controlDocument(allControlEndpoints, resolvePolicies()) }),
  }),

  readExample: operation('GET', '/__admin/example', {
    summary: 'Read a curl command that lists annotations and works as it is. Null if no key may.',
    response: z.object({ curl: text.nullable() }),
    handle: ({ url }, simulator) => ({
      curl: curlExample(simulator, url.slice(0, url.indexOf('/__admin/'))),
    }),
  }),

  readVocabulary: operation('GET', '/__admin/vocabulary', {
    summary:
      'List the names that rules and rows can use: operations, errors, presets, scopes, fixtures.',
    response: vocabularySchema,
    handle: () => vocabularyOf(fixtureNames),
  }),
}

export const allControlEndpoints: readonly Endpoint<ControlContext>[] = toEndpoints({
  ...healthOperations,
  ...serverInfoOperations,
  ...worldOperations,
  ...sandboxOperations,
  ...snapshotOperations,
  ...clockOperations,
  ...keyOperations,
  ...policyOperations,
  ...ruleOperations,
  ...journalOperations,
  ...scenarioOperations,
})

/** `Issue` as a response has it. */
const issuesSchema = {
  description:
    'The problems of the body, if it has some: at most 100. The detail lists the same ones as text.',
  type: 'array',
  items: {
    type: 'object',
    required: ['path', 'text'],
    properties: {
      path: { type: 'array', items: { type: ['string', 'integer'] } },
      text: { type: 'string' },
      kind: { enum: ['missing', 'unknown'] },
      allowed: { type: 'string' },
      root: { type: 'string' },
      line: { type: 'integer' },
    },
    additionalProperties: false,
  },
}

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
      World: worldSchema(),
      Sandbox: sandboxInfoSchema,
      Snapshot: snapshotInfoSchema,
    },
    errorSchema: toErrorSchema({ issues: issuesSchema }),
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'Required if the server has a token.' },
    },
    securityOf: () => [{}, { token: [] }],
    mediaTypes: ({ streamsBody }) => ['application/json', ...(streamsBody ? [ndjsonType] : [])],
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
  example: 'A request to try.',
  vocabulary: 'The names that rules and rows can use.',
  world: 'The rows of the world.',
  generate: 'Generated rows.',
  reset: 'The return to the start, and what it would undo.',
  sandboxes: "Isolated worlds beside the server's own.",
  snapshots: 'Named states of the rows.',
  clock: 'The time in the world.',
  keys: 'API keys.',
  policies: 'Settings for everything that the documentation of the service leaves open.',
  faults: 'Rules that inject errors, delays and broken connections.',
  actors: 'Second actors, which write between requests.',
  breakpoints: 'Rules that hold requests.',
  held: 'The requests that breakpoints hold.',
  journal: 'Requests with their responses.',
  report: 'The parts of the service that a run exercised.',
  verify: 'Assertions on the requests in the journal.',
  record: 'Scenarios made from the journal.',
  why: 'The origin of each field of a row.',
  replay: 'The progress of a recording that the server replays.',
  scenarios: 'Scenario files.',
  replays: 'Replays of scenarios.',
  sweeps: 'Replays of scenarios under other policies.',
}
