import * as z from 'zod'
import { type ImportedTraffic, importTraffic } from '../../analysis/traffic/import-traffic.ts'
import { testRunners } from '../../analysis/traffic/test-files/test-file.ts'
import { offerFixture } from '../../sandbox/sandboxes/offer-fixture.ts'
import { maxBlockingMs } from '../../utils/steps.ts'
import { nextTurn } from '../../utils/wait.ts'
import { anyObject, jsonBody, operation } from './operation.ts'
import { scenarioSchema } from './scenarios.ts'

/** The largest body of an import, in bytes. The command line reads larger archives, in pieces. */
const maxImportBytes: number = 64 * 1024 * 1024

const importRequestSchema = z.strictObject({
  name: z.string().describe('The name of the file, such as `incident.har`.'),
  content: z
    .union([anyObject, z.array(z.unknown()), z.string()])
    .describe(
      'A HAR archive, the entries of a journal, or a scenario: the value, or the text of the file.',
    ),
  base: z.string().describe('The base URL of the API in an archive.').exactOptional(),
  default_key: z
    .string()
    .describe('The label of the key of requests whose key the archive lacks.')
    .exactOptional(),
})

const text = z.string()
const texts = z.array(text).readonly()

const importedSchema: z.ZodType<ImportedTraffic> = z.object({
  scenario: scenarioSchema,
  scenario_file: text,
  base_url: text.nullable(),
  requests: z.array(z.object({ step: z.int(), title: text })).readonly(),
  left_out: z.record(text, z.int()),
  assumptions: z.array(z.object({ field: text, value: z.unknown(), because: text })).readonly(),
  warnings: texts,
  title: text,
  failures: texts,
  faults: z.int(),
  differing: z.array(z.int()).readonly(),
  tests: z
    .array(z.object({ runner: z.enum(testRunners), name: text, text, command: text }))
    .readonly(),
})

export const importOperations = {
  importTraffic: operation('POST', '/__admin/imports', {
    summary:
      'Convert a HAR archive or a journal to a scenario, or read a scenario: what failed, and a test of it for each runner.',
    body: jsonBody(importRequestSchema),
    bodyLimit: maxImportBytes,
    response: importedSchema,
    async handle({ body }, simulator) {
      const { world } = Object(body.content) as { readonly world?: unknown }
      await offerFixture(simulator.sandboxes, typeof world === 'string' ? world : undefined)
      let lastPause = performance.now()
      return importTraffic(body, (scenario, { onStep, ...options }) =>
        simulator.replay(scenario, {
          // A file that names no world starts with this one, as on the command line.
          world: 'default',
          ...options,
          async onStep(step) {
            onStep?.(step)
            if (performance.now() - lastPause <= maxBlockingMs) return
            await nextTurn()
            lastPause = performance.now()
          },
        }),
      )
    },
  }),
}
