import { expect, test } from 'vitest'
import { resolveSettings } from '../../../src/settings/resolve.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import {
  type ExercisedVariants,
  responseVariants,
  VariantCollector,
} from '../../../src/sweep/response-variants.ts'
import type { VariantOutcome } from '../../../src/sweep/sweep.ts'
import { applyVariant, type Variant } from '../../../src/sweep/variant.ts'
import { jsonHeaders } from '../../support/api/headers.ts'
import { acme, annotationsPath, noon } from '../../support/api/paths.ts'
import { initOf } from '../../support/lanes/client.ts'
import { naiveClients, type Send, visit } from '../naive-clients.ts'

const settings = resolveSettings('documented')

function sender(simulator: Simulator): Send {
  return (method, url, body) =>
    simulator.fetch(url, {
      method,
      headers: jsonHeaders(),
      ...(body && { body: JSON.stringify(body) }),
    })
}

/** Runs every client against the same service. Returns the mistakes of those that break. */
async function brokenClients(variant: Variant | null, collector?: VariantCollector) {
  const simulator = createSimulator({ clock: noon })
  if (variant) applyVariant(simulator, variant)
  simulator.journal.followRecords((record) => collector?.add(record))
  const seen = await visit(sender(simulator))
  const broken: string[] = []
  for (const { mistake, use } of naiveClients) {
    try {
      await use(seen)
    } catch {
      broken.push(mistake)
    }
  }
  return broken
}

interface Sweep {
  readonly exercised: ExercisedVariants
  readonly variants: readonly Variant[]
  /** The mistakes of the clients that break, by variant. */
  readonly broken: ReadonlyMap<Variant, readonly string[]>
}

let swept: Promise<Sweep> | undefined

/** Runs every client against each variant, once for all tests. */
function sweep(): Promise<Sweep> {
  swept ??= sweepOnce()
  return swept
}

async function sweepOnce(): Promise<Sweep> {
  const collector = new VariantCollector()
  expect(await brokenClients(null, collector)).toEqual([])
  const { exercised } = collector
  const variants = responseVariants(exercised, settings)
  const broken = new Map<Variant, readonly string[]>()
  for (const variant of variants) broken.set(variant, await brokenClients(variant))
  return { exercised, variants, broken }
}

async function outcomesOf(mistake: string): Promise<Pick<VariantOutcome, 'variant' | 'outcome'>[]> {
  const { broken } = await sweep()
  return [...broken].map(([variant, mistakes]) => ({
    variant,
    outcome: mistakes.includes(mistake) ? 'failed' : 'passed',
  }))
}

test.each(naiveClients)(
  'the client that $mistake is caught by the right variants alone',
  async ({ mistake, caughtBy }) => {
    const outcomes = await outcomesOf(mistake)
    const breaking = outcomes.filter(({ outcome }) => outcome === 'failed')

    expect(breaking.map(({ variant }) => variant.id)).toEqual(caughtBy)
  },
)

test('each kind of variant has a client that it breaks', async () => {
  const { broken } = await sweep()
  const kindOf = (id: string) => id.replace(/.*=/, '')
  const caught = new Set(naiveClients.flatMap(({ caughtBy }) => caughtBy.map(kindOf)))

  expect(new Set([...broken.keys()].map(({ id }) => kindOf(id)))).toEqual(caught)
})

test('the variants of a run, with their evidence', async () => {
  const own = new VariantCollector()
  await brokenClients(null, own)

  const lines = responseVariants(own.exercised, settings).map(
    ({ id, sentence, evidence, source, faults }) =>
      `${id}: ${sentence} (${evidence}: ${source}) ${JSON.stringify(faults?.[0])}`,
  )

  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./response-variants.outline.txt')
})

test('variants cover the operations and the fields that the run exercised, and no others', async () => {
  const { exercised, variants } = await sweep()
  expect(Object.keys(exercised)).toEqual([
    'createAnnotation',
    'listAnnotations',
    'retrieveAnnotation',
    'updateAnnotation',
    'retrievePlugin',
  ])
  const ids = variants.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toContain('variant.plugin.config_schema=null')
  // The plugin has no times, and is no page.
  expect(ids.filter((id) => /plugin.*seconds|plugin=empty/.test(id))).toEqual([])

  const read = createSimulator({ clock: noon })
  const own = new VariantCollector()
  read.journal.followRecords((record) => own.add(record))
  await sender(read)('GET', `${annotationsPath}999/`)
  await sender(read)('GET', annotationsPath)
  expect(Object.keys(own.exercised)).toEqual(['listAnnotations'])
  const found = responseVariants(own.exercised, settings).map(({ id }) => id)
  expect(found).toContain('variant.annotation=row_order')
})

test('the fields that a client sends have no variants', async () => {
  const simulator = createSimulator({ clock: noon })
  const own = new VariantCollector()
  simulator.journal.followRecords((record) => own.add(record))
  const send = sender(simulator)

  await send('GET', annotationsPath)
  await send('PATCH', `${annotationsPath}1/`, { content: 'Launch' })

  const fields = Object.values(own.exercised).map((found) => found.map(({ field }) => field))
  expect(fields).toHaveLength(2)
  for (const each of fields) {
    expect(each).toContain('created_by')
    expect(each).not.toContain('content')
  }
})

test('only successes with JSON have variants', async () => {
  const simulator = createSimulator()
  simulator.faults.add({ operation: 'listProjects', effect: { status: 200, body: 'text' } })
  const collector = new VariantCollector()
  simulator.journal.followRecords((record) => collector.add(record))

  await simulator.fetch('/api/projects/', initOf('GET', {}))
  await simulator.fetch('/api/unknown/', initOf('GET', {}))
  await simulator.fetch(`${annotationsPath}1/`, initOf('DELETE', {}))
  await simulator.fetch(`/api/organizations/${acme}/plugins/23/`, initOf('DELETE', {}))

  expect(collector.exercised).toEqual({})
  await simulator.fetch(annotationsPath, initOf('POST', { body: { content: 'x' } }))
  expect(Object.keys(collector.exercised)).toEqual(['createAnnotation'])
})
