import { expect, test } from 'vitest'
import {
  type ExercisedMutants,
  MutantCollector,
  mutantVariants,
} from '../../../../src/analysis/variants/mutants.ts'
import type { VariantOutcome } from '../../../../src/analysis/variants/sweep.ts'
import { applyVariant, type Variant } from '../../../../src/analysis/variants/variant.ts'
import { resolvePolicies } from '../../../../src/policies/settings.ts'
import { createSimulator, type Simulator } from '../../../../src/simulator.ts'
import { jsonHeaders } from '../../../support/api/headers.ts'
import { annotationsPath, noon } from '../../../support/api/paths.ts'
import { mutantClients, type Send, visit } from '../mutant-clients.ts'

const settings = resolvePolicies('documented')

function sender(simulator: Simulator): Send {
  return (method, url, body) =>
    simulator.fetch(url, {
      method,
      headers: jsonHeaders(),
      ...(body && { body: JSON.stringify(body) }),
    })
}

/** Runs every client against the same service. Returns the mistakes of those that break. */
async function brokenClients(variant: Variant | null, collector?: MutantCollector) {
  const simulator = createSimulator({ clock: noon })
  if (variant) applyVariant(simulator, variant)
  simulator.journal.followRecords((record) => collector?.add(record))
  const seen = await visit(sender(simulator))
  const broken: string[] = []
  for (const { mistake, use } of mutantClients) {
    try {
      await use(seen)
    } catch {
      broken.push(mistake)
    }
  }
  return broken
}

interface Sweep {
  readonly exercised: ExercisedMutants
  readonly variants: readonly Variant[]
  /** The mistakes of the clients that break, by variant. A test of its own has the slow ones: slow-mutant.test.ts */
  readonly broken: ReadonlyMap<Variant, readonly string[]>
}

let swept: Promise<Sweep> | undefined

/** Runs every client against each variant, once for all tests. */
function sweep(): Promise<Sweep> {
  swept ??= sweepOnce()
  return swept
}

async function sweepOnce(): Promise<Sweep> {
  const collector = new MutantCollector()
  expect(await brokenClients(null, collector)).toEqual([])
  const { exercised } = collector
  const variants = mutantVariants(exercised, settings)
  const broken = new Map<Variant, readonly string[]>()
  const quick = variants.filter(({ id }) => !id.endsWith('=slow'))
  for (const variant of quick) broken.set(variant, await brokenClients(variant))
  return { exercised, variants, broken }
}

async function outcomesOf(mistake: string): Promise<Pick<VariantOutcome, 'variant' | 'outcome'>[]> {
  const { broken } = await sweep()
  return [...broken].map(([variant, mistakes]) => ({
    variant,
    outcome: mistakes.includes(mistake) ? 'failed' : 'passed',
  }))
}

test.each(mutantClients)(
  'the client that $mistake is caught by the right mutants alone',
  async ({ mistake, caughtBy }) => {
    const outcomes = await outcomesOf(mistake)
    const breaking = outcomes.filter(({ outcome }) => outcome === 'failed')

    expect(breaking.map(({ variant }) => variant.id)).toEqual(caughtBy)
  },
)

test('each kind of mutant that breaks a client has a client that it breaks', async () => {
  const { broken } = await sweep()
  const kindOf = (id: string) => id.replace(/.*=/, '')
  const caught = new Set(mutantClients.flatMap(({ caughtBy }) => caughtBy.map(kindOf)))

  expect(new Set([...broken.keys()].map(({ id }) => kindOf(id)))).toEqual(caught)
})

test('the variants of a run, with their evidence', async () => {
  const own = new MutantCollector()
  await brokenClients(null, own)

  const lines = mutantVariants(own.exercised, settings).map(
    ({ id, sentence, evidence, source, faults }) =>
      `${id}: ${sentence} (${evidence}: ${source}) ${JSON.stringify(faults?.[0])}`,
  )

  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./mutants.outline.txt')
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
  expect(ids).toContain('mutate.plugin.config_schema=null')
  // The plugin has no times, and is no page.
  expect(ids.filter((id) => /plugin.*seconds|plugin=(empty|large)/.test(id))).toEqual([])

  const read = createSimulator({ clock: noon })
  const own = new MutantCollector()
  read.journal.followRecords((record) => own.add(record))
  await sender(read)('GET', `${annotationsPath}999/`)
  await sender(read)('GET', annotationsPath)
  expect(Object.keys(own.exercised)).toEqual(['listAnnotations'])
  const mutants = mutantVariants(own.exercised, settings).map(({ id }) => id)
  expect(mutants).toContain('mutate.annotation=large_id')
  expect(mutants).not.toContain('mutate.annotation=next_parameters')
})

test('what two runs exercised is joined, and is plain JSON', async () => {
  const { exercised } = await sweep()
  const joined = new MutantCollector()
  joined.addAll({ listPlugins: [{ kind: 'slow' }] })
  joined.addAll(JSON.parse(JSON.stringify(exercised)))
  joined.addAll(exercised)

  expect(joined.exercised).toEqual({ listPlugins: [{ kind: 'slow' }], ...exercised })
})

test.each([
  ['scope', 'new_value', 'new_value', 'wrong'],
  ['content', 'null', null, ['wrong']],
] as const)(
  'a mutant of %s accepts what it returned, and nothing else',
  async (field, kind, own, wrong) => {
    const policies = { 'fields.nullable': 'documented' } as const
    const simulator = createSimulator({ clock: noon, policies })
    simulator.faults.add({ operation: 'updateAnnotation', effect: { mutate: { kind, field } } })
    const row = `${annotationsPath}1/`
    const patch = async (value: string | readonly string[] | null) =>
      (await sender(simulator)('PATCH', row, { [field]: value })).status

    expect([await patch(own), await patch(wrong)]).toEqual([200, 400])
    expect(simulator.policies.settings).toMatchObject(policies)
  },
)

test('texts and null spare the fields that the client wrote, until another text is there', async () => {
  const simulator = createSimulator({ clock: noon })
  const own = new MutantCollector()
  simulator.journal.followRecords((record) => own.add(record))
  const send = sender(simulator)
  const row = `${annotationsPath}1/`
  await send('PATCH', row, { content: 'Launch' })
  const patched = own.exercised.updateAnnotation?.map(({ field }) => field)
  expect(patched).not.toContain('content')
  simulator.faults.add({ operation: 'retrieveAnnotation', effect: { mutate: 'null' } })
  const read = async () => (await send('GET', row)).json()

  expect(await read()).toMatchObject({ content: 'Launch', created_by: null })
  simulator.world.annotations.update(1, { content: 'Changed by others' })
  expect(await read()).toMatchObject({ content: null })
})
