import * as z from 'zod'
import type { Endpoint } from '../../http/endpoint.ts'
import { vocabularyOf } from '../../sandbox/vocabulary.ts'
import { fixtureNames } from '../../world/load/built-in-worlds.ts'
import { curlExample } from '../curl-example.ts'
import { clockOperations } from './clock.ts'
import { healthOperations } from './health.ts'
import { journalOperations } from './journal.ts'
import { keyOperations } from './keys.ts'
import { type ControlContext, operation, toEndpoints } from './operation.ts'
import { ruleOperations } from './rules.ts'
import { sandboxOperations } from './sandboxes.ts'
import { scenarioOperations } from './scenarios.ts'
import { settingOperations } from './settings.ts'
import { snapshotOperations } from './snapshots.ts'
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
  ...settingOperations,
  ...ruleOperations,
  ...journalOperations,
  ...scenarioOperations,
})
